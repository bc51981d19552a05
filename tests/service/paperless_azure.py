# Makes the calls that paperless-ngx makes to Azure's Read model, with the same client library. Arguments: the address
# of the service, a key, a picture, and a word in it. Prints "missing" and exits with 3 if the library is not installed.
import sys
from pathlib import Path

try:
    from azure.ai.documentintelligence import DocumentIntelligenceClient
    from azure.ai.documentintelligence.models import AnalyzeDocumentRequest, AnalyzeOutputOption, DocumentContentFormat
    from azure.core.credentials import AzureKeyCredential
except ImportError as error:
    print(f"missing: {error}")
    sys.exit(3)

base, key, path, word = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
client = DocumentIntelligenceClient(endpoint=base, credential=AzureKeyCredential(key), polling_interval=1)
request = AnalyzeDocumentRequest(bytes_source=path.read_bytes())
poller = client.begin_analyze_document(
    model_id="prebuilt-read",
    body=request,
    output_content_format=DocumentContentFormat.TEXT,
    output=[AnalyzeOutputOption.PDF],
)
poller.wait()
result_id = poller.details["operation_id"]
pdf = b"".join(client.get_analyze_result_pdf(model_id="prebuilt-read", result_id=result_id))
assert pdf.startswith(b"%PDF-"), pdf[:20]
result = poller.result()
assert word in result.content, result.content
assert result.model_id == "prebuilt-read"
for page in result.pages:
    for found in page.words:
        begin = found.span.offset
        assert result.content[begin : begin + found.span.length] == found.content
        assert len(found.polygon) == 8
print("ok", len(result.pages))
