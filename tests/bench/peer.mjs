// The server that the benchmarks compare with the service: Node's own HTTP server with sharp behind it, and the same
// limits.
// Arguments: port, the largest body in MiB, and the seconds that a request may take.
// The query of `POST /convert` names sharp's methods, in their order, each with its argument as JSON. Without a query,
// the method is png().
import http from "node:http";
import sharp from "sharp";

const MAX = Number(process.argv[3]) * 1024 * 1024;
const large = Buffer.alloc(20 * 1024 * 1024, 120);

const answer = (response, status, value) => {
  const body = JSON.stringify(value);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
};

const convert = async (body, steps) => {
  let image = sharp(body);
  for (const [method, argument] of steps) image = image[method](argument ? JSON.parse(argument) : undefined);
  return (steps.size ? image : image.png()).toBuffer();
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
    convert(Buffer.concat(chunks), new URL(request.url, "http://peer").searchParams)
      .then((result) => response.end(result))
      .catch((error) => answer(response, 400, { error: error.message })));
});
server.headersTimeout = 10_000;
server.keepAliveTimeout = 30_000;
server.timeout = Number(process.argv[4]) * 1000;
server.connectionsCheckingInterval = 1_000;
server.on("clientError", (_, socket) => socket.writable && socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
server.listen({ port: Number(process.argv[2]), host: "127.0.0.1", backlog: 4096 });
