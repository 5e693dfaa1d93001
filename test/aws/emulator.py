"""Runs MiniStack, and closes the gaps between it and AWS that a deployment of this project meets.

Each gap names AWS's documentation. None makes the emulator more lenient towards a function: what it may do comes from its
role alone. Everything that the run is judged by is written as JSON lines to the file that OBSERVATIONS names: starts and
invocations of functions, emails, and the calls that were denied.
"""

import contextvars
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from ministack import app
from ministack.core import iam_actions, iam_evaluator, lambda_runtime, sigv4
from ministack.core.responses import get_account_id, get_region
from ministack.services import apigateway, eventbridge, iam, lambda_svc, secretsmanager, ses, ses_v2, sns
from ministack.services.cloudformation import provisioners

OBSERVATIONS = open(os.environ["OBSERVATIONS"], "a", buffering=1)
LOCK = threading.Lock()


def observe(**fields):
    with LOCK:
        OBSERVATIONS.write(json.dumps(fields) + "\n")


# --- What is allowed ---

# sqs:SendMessage authorizes batches as well, and so on.
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
extract_iam_action = iam_actions.extract_iam_action


def single_action(*request):
    action = extract_iam_action(*request)
    return action.removesuffix("Batch") if action and action.startswith("sqs:") else action


iam_actions.extract_iam_action = single_action


# The request context has the keys of an encryption context, and the partition keys that a request names.
# https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-encryption-context-keys
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
def encryption_context_keys(body):
    context = json.loads(body or b"{}").get("EncryptionContext")
    return {"kms:EncryptionContextKeys": list(context)} if context else {}


def leading_keys(body):
    request = json.loads(body or b"{}")
    parts = [request, *(part for item in request.get("TransactItems") or [] for part in item.values())]
    for requests in (request.get("RequestItems") or {}).values():
        writes = requests if isinstance(requests, list) else [{"Get": {"Key": key}} for key in requests["Keys"]]
        parts += [part for write in writes for part in write.values()]
    keys = [(part.get("Key") or part.get("Item") or {}).get("pk", {}).get("S") for part in parts]
    equal = re.search(r"#?\w+\s*=\s*(:\w+)", request.get("KeyConditionExpression") or "")
    if equal:
        keys.append(request["ExpressionAttributeValues"][equal[1]].get("S"))
    return {"dynamodb:LeadingKeys": [key for key in keys if key]} if any(keys) else {}


# https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html
def event_source(body):
    sources = {entry.get("Source") for entry in json.loads(body or b"{}").get("Entries") or []}
    return {"events:source": sources.pop()} if len(sources) == 1 else {}


dynamodb_service_context = iam_actions.dynamodb_service_context
request_tag_context = iam_actions.request_tag_context
iam_actions.dynamodb_service_context = lambda body: {**dynamodb_service_context(body), **leading_keys(body)}
iam_actions.request_tag_context = lambda service, action, body, params: {
    **request_tag_context(service, action, body, params),
    **(encryption_context_keys(body) if service == "kms" else {}),
    **(event_source(body) if action == "events:PutEvents" else {}),
}

# AWS's endpoints always use TLS; here it is the loopback interface.
# https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-securetransport
resolve_condition_key = iam_evaluator._resolve_condition_key
iam_evaluator._resolve_condition_key = lambda key, context: (
    "true" if key.lower() == "aws:securetransport" else resolve_condition_key(key, context)
)


# Creating an identity with tags is authorized by those, changing and deleting one by the tags that it has.
# https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
REQUESTED_TAGS = contextvars.ContextVar("requested_tags", default={})
resolve_plain_key = iam_evaluator._resolve_condition_key


def resolve_tag(key, context):
    kind, _, name = key.partition("/")
    if not context.action.lower().startswith("ses:") or kind.lower() not in ("aws:requesttag", "aws:resourcetag"):
        return resolve_plain_key(key, context)
    identity = ses_v2._identities.get(context.resource_arn.rpartition("/")[2]) or {}
    tags = {tag["Key"]: tag["Value"] for tag in identity.get("Tags") or []}
    return (REQUESTED_TAGS.get() if kind.lower() == "aws:requesttag" else tags).get(name)


iam_evaluator._resolve_condition_key = resolve_tag


# An email is authorized on the sender's identity and on the configuration set; with attachments as a raw one as well.
# https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
enforce_ses_v2 = app._enforce_ses_v2


def enforce_email(method, path, headers, body, query_params, request_id):
    if method == "POST" and path == "/v2/email/identities":
        REQUESTED_TAGS.set({tag["Key"]: tag["Value"] for tag in json.loads(body).get("Tags") or []})
    if method != "POST" or path != "/v2/email/outbound-emails":
        return enforce_ses_v2(method, path, headers, body, query_params, request_id)
    request = json.loads(body)
    arn = f"arn:aws:ses:{get_region()}:{get_account_id()}"
    domain = re.search(r"@([^>\s]+)", request["FromEmailAddress"])[1]
    named = [f"{arn}:configuration-set/{name}" for name in [request.get("ConfigurationSetName")] if name]
    raw = ["ses:SendRawEmail"] if (request["Content"].get("Simple") or {}).get("Attachments") else []
    for action in ["ses:SendEmail", *raw]:
        for resource in [f"{arn}:identity/{domain}", *named]:
            if denied := app._enforce_data_plane("sesv2", action, headers, query_params, request_id, resource):
                return denied
    return None


app._enforce_ses_v2 = enforce_email

enforce = iam_evaluator.enforce


def function_of(principal_arn):
    """The session of a function's role has the function's name."""
    return principal_arn.split("/")[-1] if "assumed-role/" in principal_arn else ""


def observed_enforce(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
    result = enforce(access_key_id, iam_action, service, region, resource_arn, service_context)
    if result is not None:
        principal = function_of(getattr(result, "principal_arn", "")) or getattr(result, "code", "")
        observe(kind="denied", function=principal, action=iam_action, resource=resource_arn)
    return result


iam_evaluator.enforce = observed_enforce


# --- Who may invoke a function ---

# A service invokes a function only if the function's policy allows it.
# https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
def invoker_of(event):
    """The service that sends an event, and the ARN of what it comes from."""
    if not isinstance(event, dict):
        return None
    scope = f"{get_region()}:{get_account_id()}"
    request = event.get("requestContext") or {}
    if "apiId" in request and "routeKey" in request:
        route = request["routeKey"].replace(" /", "/", 1)
        return "apigateway.amazonaws.com", f"arn:aws:execute-api:{scope}:{request['apiId']}/{request['stage']}/{route}"
    records = event.get("Records") or [{}]
    if records[0].get("EventSource") == "aws:sns":
        return "sns.amazonaws.com", records[0]["Sns"]["TopicArn"]
    if event.get("source") == "aws.events":
        return "events.amazonaws.com", event["resources"][0]
    return None


def may_invoke(name, function_arn, invoker):
    service, source = invoker
    context = iam_evaluator.EvalContext(
        principal_arn="*",
        principal_type="Service",
        principal_account="",
        action="lambda:InvokeFunction",
        resource_arn=function_arn,
        region=get_region(),
        service_context={"aws:sourcearn": source, "aws:sourceaccount": get_account_id()},
    )
    # The worker's ARN is that of a version, the policy names an alias of it.
    statements = ((lambda_svc._functions.get(name) or {}).get("policy") or {}).get("Statement") or []
    policy = {"Statement": [{**statement, "Resource": "*"} for statement in statements]}
    return iam_evaluator.evaluate_resource_policy(policy, context, service=service).decision == "Allow"


# --- How requests and events reach a function ---

# Without a CORS configuration, OPTIONS is matched with the routes like any other method.
# https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
handle_execute = apigateway._handle_execute_in_scope


class Preflight(str):
    """Differs from OPTIONS in the first comparison: that of the emulator's own response."""

    compared = False
    __hash__ = str.__hash__

    def __eq__(self, other):
        is_first, self.compared = not self.compared, True
        return not is_first and str.__eq__(self, other)


def handle_preflight(api_id, stage, path, method, *request, **more):
    has_own = method == "OPTIONS" and not (apigateway._apis.get(api_id) or {}).get("corsConfiguration")
    return handle_execute(api_id, stage, path, Preflight(method) if has_own else method, *request, **more)


apigateway._handle_execute_in_scope = handle_preflight


# With a tumbling window, an event of a stream names its shard and carries the window's state.
# https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
STATES = {}


def windowed(function_name, event):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    flags = {"isFinalInvokeForWindow": False, "isWindowTerminatedEarly": False}
    source = event["Records"][0]["eventSourceARN"]
    state = STATES.get(function_name, {})
    window = {"start": now, "end": now}
    return {**event, **flags, "window": window, "shardId": "shardId-0", "eventSourceARN": source, "state": state}


invoke = lambda_runtime.Worker.invoke


def observed_invoke(worker, event, request_id, **context):
    started = time.time()
    name = worker.func_name
    given = event if isinstance(event, dict) else {}
    record = (given.get("Records") or [{}])[0]
    invoker = invoker_of(event)
    is_stream = record.get("eventSource") == "aws:dynamodb"
    if invoker and not may_invoke(name, worker.config["FunctionArn"], invoker):
        observe(kind="denied", function=name, action=f"lambda:InvokeFunction by {invoker[0]}", resource=invoker[1])
        return {"status": "error", "error": "AccessDeniedException", "log": ""}
    response = invoke(worker, windowed(name, event) if is_stream else event, request_id, **context)
    result = response.get("result")
    if is_stream and isinstance(result, dict):
        STATES[name] = result.get("state") or {}
        if result.get("batchItemFailures"):
            # Lambda reads the batch again from the first failed record.
            response = {**response, "status": "error", "error": "a record failed"}
    observe(
        kind="invocation",
        function=name,
        source=record.get("eventSource") or record.get("EventSource") or given.get("source")
        or (given.get("requestContext") or {}).get("routeKey"),
        origin=record.get("eventSourceARN") or "",
        ms=round((time.time() - started) * 1000),
        status=result.get("statusCode") if isinstance(result, dict) else None,
        isLaterPage="cursor" in (given.get("queryStringParameters") or {}),
        error=response.get("error") if response.get("status") == "error" else None,
        errors=[line for line in (response.get("log") or "").splitlines() if '"level":"ERROR"' in line],
    )
    return response


lambda_runtime.Worker.invoke = observed_invoke

# The run has minutes: schedules run twenty times as often, and the functions' clock moves ahead (preload.mjs), also in what
# they sign.
parse_rate = eventbridge._parse_rate_seconds
eventbridge._parse_rate_seconds = lambda text: (parse_rate(text) or 0) / 20 or None
sigv4.request_time_failure = lambda *_: None

spawn = lambda_runtime.Worker._spawn


# The API is on the loopback interface, which customers' URLs may not name: webhooks can call it all the same.
def allow_own_host(variables):
    host = urllib.parse.urlsplit(variables.get("PUBLIC_BASE_URL", "")).netloc
    allowed = variables.get("EGRESS_ALLOW_HOSTS")
    if host and allowed and host not in allowed:
        variables["EGRESS_ALLOW_HOSTS"] = f"{allowed},{host}"


def observed_spawn(worker):
    allow_own_host((worker.config.get("Environment") or {}).get("Variables") or {})
    started = time.time()
    spawn(worker)
    observe(kind="start", function=worker.func_name, ms=round((time.time() - started) * 1000))


lambda_runtime.Worker._spawn = observed_spawn


# --- Services that the emulator does not have, or has in part ---

# CloudFormation types without an implementation: they are accepted, and their names are their IDs.
# https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
ACCEPTED = {}


def accept(logical_id, props, stack_name):
    name = next((value for key, value in props.items() if key.endswith("Name")), logical_id)
    ACCEPTED[name] = props
    return name, {}


for resource_type in os.environ["ACCEPTED_TYPES"].split(","):
    provisioners._RESOURCE_HANDLERS[resource_type] = {
        "create": accept,
        "update": lambda physical_id, old, new, stack_name: (physical_id, {}),
        "delete": lambda physical_id, props: None,
    }

# Ref of a secret is its ARN, and one that is created without a value has none.
# https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
SECRET = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]


def create_secret(logical_id, props, stack_name):
    name, attributes = SECRET["create"](logical_id, props, stack_name)
    if not {"SecretString", "GenerateSecretString"} & set(props):
        secretsmanager._secrets[name]["Versions"] = {}
    return attributes["Arn"], attributes


def secret_name(arn):
    return arn.split(":")[6].rpartition("-")[0]


provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"] = {
    **SECRET,
    "create": create_secret,
    "update": lambda arn, *rest, **more: (arn, SECRET["update"](secret_name(arn), *rest, **more)[1]),
    "delete": lambda arn, props: SECRET["delete"](secret_name(arn), props),
}

# SES's rules for received email, which a function changes as well.
# https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateReceiptRule.html
def create_rule_set(logical_id, props, stack_name):
    ses._create_receipt_rule_set({"RuleSetName": [props["RuleSetName"]]})
    return props["RuleSetName"], {}


def create_rule(logical_id, props, stack_name):
    ses._receipt_rule_sets[props["RuleSetName"]]["Rules"].append(props["Rule"])
    return props["Rule"]["Name"], {}


RECEIVING = {
    "AWS::SES::ReceiptRuleSet": (
        create_rule_set, lambda physical_id, props: ses._delete_receipt_rule_set({"RuleSetName": [physical_id]})),
    "AWS::SES::ReceiptRule": (
        create_rule, lambda physical_id, props: ses._delete_receipt_rule(
            {"RuleSetName": [props["RuleSetName"]], "RuleName": [physical_id]})),
}
for resource_type, (create, delete) in RECEIVING.items():
    provisioners._RESOURCE_HANDLERS[resource_type] = {
        "create": create, "update": lambda physical_id, old, new, stack_name: (physical_id, {}), "delete": delete,
    }


def update_receipt_rule(body):
    params = urllib.parse.parse_qs(body.decode(), keep_blank_values=True)
    name, rule = params["RuleSetName"][0], ses._receipt_rule_from_params(params)
    if error := ses._receipt_rule_error(rule):
        return error
    if name not in ses._receipt_rule_sets:
        return ses._receipt_missing_set(name)
    rules = ses._receipt_rule_sets[name]["Rules"]
    index = next((at for at, each in enumerate(rules) if each["Name"] == rule["Name"]), None)
    if index is None:
        return ses._receipt_error("RuleDoesNotExist", f"Rule does not exist: {rule['Name']}")
    rules[index] = rule
    return ses._receipt_result("UpdateReceiptRule")


handle_ses_v1 = ses.handle_request


async def handle_ses_with_update(method, path, headers, body, query_params):
    if method == "POST" and not path.startswith("/v2/") and body.startswith(b"Action=UpdateReceiptRule&"):
        return update_receipt_rule(body)
    return await handle_ses_v1(method, path, headers, body, query_params)


ses.handle_request = handle_ses_with_update

# Alarms on metric math are accepted as well; nothing in the run waits for an alarm.
# https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create-alarm-on-metric-math-expression.html
create_alarm = provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::Alarm"]["create"]
provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::Alarm"]["create"] = lambda logical_id, props, stack_name: (
    accept(logical_id, props, stack_name) if "Metrics" in props else create_alarm(logical_id, props, stack_name)
)


# SES has custom MAIL FROM domains, verifies domains, and publishes the events of an email to the destinations of its configuration set;
# so does AWS End User Messaging.
# https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityMailFromAttributes.html
# https://docs.aws.amazon.com/ses/latest/dg/event-publishing-add-event-destination-sns.html
# https://docs.aws.amazon.com/sms-voice/latest/userguide/configuration-sets-event-format.html
def publish_as(service, topic_arn, message):
    found = sns.topic_policy_for_arn(topic_arn)
    context = iam_evaluator.EvalContext(
        principal_arn="*", principal_type="Service", principal_account="", action="sns:Publish",
        resource_arn=topic_arn, region=get_region(), service_context={"aws:sourceaccount": get_account_id()})
    if found is None or iam_evaluator.evaluate_resource_policy(found[0], context, service=service).decision != "Allow":
        observe(kind="denied", function=service, action="sns:Publish", resource=topic_arn)
    else:
        sns.publish_internal(topic_arn, json.dumps(message))


def publish_later(service, topic, message):
    """In a moment, on behalf of the account and region of this request."""
    context = contextvars.copy_context()
    threading.Timer(0.2, context.run, (publish_as, service, topic, message)).start()


# https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator
SIMULATED = {
    "bounce": {"eventType": "Bounce", "bounce": {"bounceType": "Permanent", "bounceSubType": "General"}},
    "suppressionlist": {"eventType": "Bounce", "bounce": {"bounceType": "Permanent", "bounceSubType": "Suppressed"}},
    "complaint": {"eventType": "Complaint", "complaint": {"complaintFeedbackType": "abuse"}},
    "ooto": {"eventType": "Bounce", "bounce": {"bounceType": "Transient", "bounceSubType": "General"}},
}


def email_events(request, message_id):
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    to = request.get("Destination", {}).get("ToAddresses", [])
    tags = {tag["Name"]: [tag["Value"]] for tag in request.get("EmailTags") or []}
    mail = {"timestamp": now, "messageId": message_id, "source": request.get("FromEmailAddress", ""),
            "destination": to, "tags": tags}
    delivery = {"timestamp": now, "processingTimeMillis": 5, "recipients": to, "smtpResponse": "250 ok",
                "reportingMTA": "a1-1.smtp-out.amazonses.com"}
    delivered = {"eventType": "Delivery", "mail": mail, "delivery": delivery}
    for name, event in SIMULATED.items():
        if to == [f"{name}@simulator.amazonses.com"]:
            about = {"timestamp": now, "feedbackId": message_id, "bouncedRecipients": [{"emailAddress": to[0]}],
                     "complainedRecipients": [{"emailAddress": to[0]}]}
            part = next(key for key in event if key != "eventType")
            simulated = {"eventType": event["eventType"], "mail": mail, part: {**about, **event[part]}}
            return [delivered, simulated] if name == "ooto" else [simulated]
    return [delivered]


handle_ses = ses_v2.handle_request
MAIL_FROM = {}


async def handle_ses_with_events(method, path, headers, body, query_params):
    identity = re.fullmatch(r"/v2/email/identities/([^/]+)(/mail-from)?", path)
    if identity and identity[2] and method == "PUT":
        domain = json.loads(body).get("MailFromDomain")
        MAIL_FROM[identity[1]] = {"MailFromDomain": domain, "MailFromDomainStatus": "SUCCESS"}
        return 200, {"Content-Type": "application/json"}, b"{}"
    response = await handle_ses(method, path, headers, body, query_params)
    if identity and method == "GET" and response[0] == 200 and identity[1] in MAIL_FROM:
        content = json.loads(response[2])
        content["DkimAttributes"]["Status"] = content["VerificationStatus"] = "SUCCESS"
        content["MailFromAttributes"] = MAIL_FROM[identity[1]]
        return 200, response[1], json.dumps(content).encode()
    if method == "POST" and path == "/v2/email/outbound-emails" and response[0] == 200:
        request = json.loads(body)
        record = ses_v2._config_sets.get(request.get("ConfigurationSetName", "")) or {}
        message_id = json.loads(response[2])["MessageId"]
        observe(kind="email", messageId=message_id, request=request)
        for destination in (record.get("EventDestinations") or {}).values():
            topic = (destination.get("SnsDestination") or {}).get("TopicArn")
            for event in email_events(request, message_id):
                if topic and event["eventType"].upper() in [each.upper() for each in destination.get("MatchingEventTypes", [])]:
                    publish_later("ses.amazonaws.com", topic, event)
    return response


ses_v2.handle_request = handle_ses_with_events


# AWS End User Messaging is a server of the tests; here its calls are authorized.
# https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsendusermessagingsmsandvoicev2.html
def sms_resources(request):
    arn = f"arn:aws:sms-voice:{get_region()}:{get_account_id()}"
    if request.get("OptOutListName"):
        return [f"{arn}:opt-out-list/{request['OptOutListName']}"]
    named = [f"{arn}:phone-number/phone-1"] if request.get("OriginationIdentity") else ["*"]
    return named + [f"{arn}:configuration-set/{name}" for name in [request.get("ConfigurationSetName")] if name]


def phone_delivered(operation, request, message_id):
    kind, status = ("VOICE_COMPLETED", "COMPLETED") if operation == "SendVoiceMessage" else ("TEXT_DELIVERED", "DELIVERED")
    return {"eventType": kind, "eventVersion": "1.0", "eventTimestamp": round(time.time() * 1000), "isFinal": True,
            "originationPhoneNumber": request.get("OriginationIdentity"),
            "destinationPhoneNumber": request.get("DestinationPhoneNumber"), "messageId": message_id,
            "messageStatus": status, "context": request.get("Context")}


async def phone_service(scope, receive, send):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
    request = json.loads(body)
    operation = headers["x-amz-target"].split(".")[1]
    region = app.extract_region(headers, {})
    answer = None
    for resource in sms_resources(request):
        answer = answer or app._enforce_data_plane(
            "sms-voice", f"sms-voice:{operation}", headers, {}, str(uuid.uuid4()), resource_arn=resource)
    # https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_DescribeAccountLimits.html
    if answer is None and operation == "DescribeAccountLimits":
        limits = [{"Name": "PHONE_NUMBERS", "Used": 1, "Max": 5}]
        answer = 200, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps({"AccountLimits": limits}).encode()
    if answer is None:
        forwarded = {name: value for name, value in headers.items() if name not in ("host", "content-length")}
        call = urllib.request.Request(os.environ["PHONE_SERVICE"], data=body, headers=forwarded)
        try:
            with urllib.request.urlopen(call) as response:
                answer = response.status, dict(response.headers), response.read()
            app.set_request_account_id(app.extract_access_key_id(headers, {}))
            destinations = ACCEPTED.get(request.get("ConfigurationSetName"), {}).get("EventDestinations") or []
            for destination in destinations if operation.startswith("Send") else []:
                event = phone_delivered(operation, request, json.loads(answer[2])["MessageId"])
                if not {event["eventType"], "ALL"} & set(destination["MatchingEventTypes"]):
                    continue
                publish_later("sms-voice.amazonaws.com", destination["SnsDestination"]["TopicArn"], event)
        except urllib.error.HTTPError as error:
            answer = error.code, dict(error.headers), error.read()
    status, response_headers, content = answer
    kept = [(name.lower().encode(), str(value).encode()) for name, value in response_headers.items()
            if name.lower() not in ("content-length", "transfer-encoding", "connection")]
    await send({"type": "http.response.start", "status": status, "headers": kept})
    await send({"type": "http.response.body", "body": content})


async def event_of_service(scope, receive, send):
    """Publishes what a service would, such as a text message that it received."""
    event = json.loads((await receive())["body"])
    publish_as(event["service"], event["topic"], event["message"])
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def change_of_policy(scope, receive, send):
    """Replaces text in the policies of a function's role: a planted fault."""
    change = json.loads((await receive())["body"])
    found = next(func for (*_, name), func in lambda_svc._functions._data.items() if name == change["function"])
    role = next(role for role in iam._roles._data.values() if role["Arn"] == found["config"]["Role"])
    policies = {name: policy if isinstance(policy, str) else json.dumps(policy) for name, policy in role["InlinePolicies"].items()}
    role["InlinePolicies"] = {name: text.replace(change["find"], change["replace"]) for name, text in policies.items()}
    # Instances keep what they have read.
    lambda_runtime.invalidate_worker(change["function"])
    status = 204 if policies != role["InlinePolicies"] else 400
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b""})


OF_THE_RUN = {"/_run/publish": event_of_service, "/_run/policy": change_of_policy}
handle = app.app


async def handle_all(scope, receive, send):
    target = dict(scope.get("headers") or []).get(b"x-amz-target", b"") if scope["type"] == "http" else b""
    own = phone_service if target.startswith(b"PinpointSMSVoiceV2.") else OF_THE_RUN.get(scope.get("path"))
    await (own or handle)(scope, receive, send)


app.app = handle_all


def end_with_parent():
    """The process that started this one holds its standard input open."""
    sys.stdin.read()
    lambda_runtime.reset()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    sys.argv = sys.argv[:1]
    app.main()
