// What `make bench-hostile` puts beside the service: Node's own HTTP server with sharp behind it, and the same limits.
import http from "node:http";
import sharp from "sharp";

const MAX = 100 * 1024 * 1024;
const large = Buffer.alloc(20 * 1024 * 1024, 120);

const answer = (response, status, value) => {
  const body = JSON.stringify(value);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
};

const server = http.createServer((request, response) => {
  if (request.url === "/health") return answer(response, 200, { status: "operational" });
  if (request.url === "/large") return response.end(large);
  if (request.method !== "POST") return answer(response, 404, { error: "not found" });
  if (Number(request.headers["content-length"] ?? 0) > MAX) return answer(response, 413, { error: "too large" });
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("error", () => {});
  request.on("end", () =>
    sharp(Buffer.concat(chunks)).png().toBuffer()
      .then((png) => response.end(png))
      .catch((error) => answer(response, 400, { error: error.message })));
});
server.headersTimeout = 10_000;
server.keepAliveTimeout = 30_000;
server.timeout = 30_000;
server.connectionsCheckingInterval = 1_000;
server.on("clientError", (_, socket) => socket.writable && socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
server.listen({ port: Number(process.argv[2]), host: "127.0.0.1", backlog: 4096 });
