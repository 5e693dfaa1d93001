"""Sends an email and waits for its outcome, with the client that openapi-python-client generates."""

import os
import time
import uuid

from nds import AuthenticatedClient
from nds.api.logs import get_logs
from nds.api.sending import send
from nds.models import EmailContent, ErrorResponse, SendRecipient, SendRequest, SendRequestParameters

client = AuthenticatedClient(
    base_url=os.environ.get("NDS_URL", "http://localhost:3000"),
    token=os.environ["NDS_KEY"],
)

request = SendRequest(
    type_="order_shipped",
    to=SendRecipient(id="ada", email="ada@example.com"),
    parameters=SendRequestParameters.from_dict({"order": "A-1001"}),
    email=EmailContent(
        subject="Order {{ order }} is on its way",
        html="<p>Order {{ order }} has shipped.</p>",
    ),
)
sent = send.sync(client=client, body=request, idempotency_key=str(uuid.uuid4()))
if sent is None or isinstance(sent, ErrorResponse):
    raise SystemExit(f"Not accepted: {sent and sent.error.message} {sent and sent.error.fix}")
print("tracking ID", sent.tracking_id)

for _ in range(30):
    record = get_logs.sync(client=client, tracking_ids=sent.tracking_id).logs[0]
    if record.email_delivered_at or record.email_failed_code:
        print("delivered" if record.email_delivered_at else record.email_failed_code)
        break
    time.sleep(1)
