import { startFakeAwsSms } from '../support/fakes/aws-sms.ts';
import { type FakeReply, type FakeRequest, startHttpFake } from '../support/fakes/http-fake.ts';
import { type SesMessage, startFakeSes } from '../support/fakes/ses.ts';
import { type FakeZone, startFakeSesIdentities } from '../support/fakes/ses-identities.ts';
import { type Call, objectOf, prefixOf, readCall, requestsOf } from './authorize.ts';
import type { CloudEvents } from './cloud-events.ts';
import { dataKeys, people } from './fake-services.ts';
import type { Roles } from './roles.ts';
import type { Deployment } from './templates.ts';

/** The one endpoint of AWS: every call is checked against the policy of its function's role, then served. */
export type Endpoint = {
  url: string;
  /** `function: action on resource` of every call that the function's role does not allow. */
  denied: string[];
  objects: Map<string, { body: Buffer; type: string }>;
  /** Emails that SES accepted, in order. */
  emails: readonly { message: SesMessage }[];
  /** Sender domains by name. */
  identities: ReadonlyMap<string, object>;
  close(): Promise<void>;
};

type Services = Record<string, (call: Call) => Promise<FakeReply> | FakeReply>;

/** Starts the endpoint. `events` receives what the services publish; `sockets` serves `@connections`. */
export async function startEndpoint(
  deployment: Deployment,
  options: {
    dynamodbEndpoint: string;
    events: () => CloudEvents;
    sockets: (request: FakeRequest) => FakeReply;
    roles: Roles;
    secrets: Readonly<Record<string, string>>;
    jwks: () => Promise<object>;
    dns: FakeZone;
  },
): Promise<Endpoint> {
  const denied: string[] = [];
  const objects: Endpoint['objects'] = new Map();
  const [ses, identities, phone] = await Promise.all([
    startFakeSes(),
    startFakeSesIdentities(options.dns),
    startFakeAwsSms(),
  ]);
  const { roles } = options;

  const services: Services = {
    dynamodb: (call) => forward(options.dynamodbEndpoint, call.request, { authorization: LOCAL_SIGNATURE }),
    sqs: ({ operation, input }) => options.events().queueCall(operation, input),
    kms: dataKeys(deployment),
    s3: (call) => serveObject(call, objects, roles, options.events),
    secretsmanager: ({ input }) => ({
      status: 200,
      body: { ARN: input.SecretId, SecretString: JSON.stringify(options.secrets) },
    }),
    'cognito-idp': people(),
    ses: async (call) => {
      if (call.operation !== 'POST /v2/email/outbound-emails') return forward(identities.url, call.request);
      const reply = await forward(ses.url, call.request);
      if (reply !== 'hang' && reply !== 'drop' && reply.status === 200)
        options.events().emailSent(call.input, JSON.parse(String(reply.body)).MessageId);
      return reply;
    },
    'sms-voice': async (call) => {
      const reply = await forward(phone.url, call.request);
      if (reply !== 'hang' && reply !== 'drop' && reply.status === 200)
        options.events().phoneCall(call.operation, call.input, JSON.parse(String(reply.body)).MessageId);
      return reply;
    },
    events: ({ input }) => options.events().putEvents(input.Entries),
    'execute-api': ({ request }) => options.sockets(request),
  };

  const server = await startHttpFake(async (request) => {
    if (request.path.endsWith('/.well-known/jwks.json')) return { status: 200, body: await options.jwks() };
    const call = readCall(withoutApi(request));
    if (!call) return { status: 403, body: { message: 'Missing Authentication Token' } };
    const refused = requestsOf(call).filter((asked) => !roles.allow(call.caller, asked));
    if (refused.length === 0) return services[call.service]?.(call) ?? { status: 404 };
    denied.push(
      ...refused.map(
        ({ action, resource, context }) =>
          `${call.caller}: ${action} on ${resource} ${JSON.stringify(context ?? {})}`,
      ),
    );
    return accessDenied(call);
  });
  return {
    url: server.url,
    denied,
    objects,
    emails: ses.messages,
    identities: identities.identities,
    close: async () => void (await Promise.all([server, ses, identities, phone].map((each) => each.close()))),
  };
}

/** DynamoDB Local keeps a database for each access key: every function shares the tests'. */
const LOCAL_SIGNATURE = `AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;

/** Posts to connections come as `/execute-api/<api>/<stage>/@connections/…`: the host on AWS names the API. */
function withoutApi(request: FakeRequest): FakeRequest {
  const [, api, path] = /^\/execute-api\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
  return api && path
    ? { ...request, path: decodeURIComponent(path), headers: { ...request.headers, 'x-cloud-api': api } }
    : request;
}

async function forward(
  url: string,
  { method, path, headers, body }: FakeRequest,
  changed: Record<string, string> = {},
): Promise<FakeReply> {
  const {
    host: _host,
    connection: _connection,
    'content-length': _length,
    'accept-encoding': _encoding,
    expect: _expect,
    ...kept
  } = headers;
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)])),
      ...changed,
    },
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const names = ['content-type', 'x-amzn-requestid', 'x-amzn-errortype', 'x-amz-crc32'];
  const kind = names.flatMap((name) =>
    answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [],
  );
  return { status: answer.status, headers: Object.fromEntries(kind), body: await answer.text() };
}

function accessDenied({ service, operation, caller }: Call): FakeReply {
  const message = `User: ${caller} is not authorized to perform: ${operation}`;
  if (service === 's3')
    return {
      status: 403,
      headers: { 'content-type': 'application/xml' },
      body: `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`,
    };
  const status = service === 'ses' || service === 'execute-api' ? 403 : 400;
  return {
    status,
    headers: { 'x-amzn-errortype': 'AccessDeniedException' },
    body: { __type: 'AccessDeniedException', message },
  };
}

function serveObject(
  { caller, request }: Call,
  objects: Endpoint['objects'],
  roles: Roles,
  events: () => CloudEvents,
): FakeReply {
  const { bucket, key } = objectOf(request.path);
  const name = `${bucket}/${key}`;
  if (request.method === 'PUT') {
    objects.set(name, { body: unchunked(request), type: String(request.headers['content-type'] ?? '') });
    events().objectCreated(bucket, key, request.body.length);
    return { status: 200, headers: { etag: '"1"' } };
  }
  if (request.method === 'DELETE') {
    objects.delete(name);
    return { status: 204 };
  }
  if (key === '') return listing(`${bucket}/`, prefixOf(request.path), objects);
  const found = objects.get(name);
  if (found)
    return {
      status: 200,
      headers: { 'content-type': found.type || 'binary/octet-stream' },
      body: found.body,
    };
  // Without the right to list the bucket, a missing object is forbidden.
  const mayList = roles.allow(caller, {
    action: 's3:ListBucket',
    resource: `arn:aws:s3:::${bucket}`,
  });
  const code = mayList ? 'NoSuchKey' : 'AccessDenied';
  return {
    status: mayList ? 404 : 403,
    headers: { 'content-type': 'application/xml' },
    body: `<Error><Code>${code}</Code></Error>`,
  };
}

function listing(bucket: string, prefix: string, objects: Endpoint['objects']): FakeReply {
  const names = [...objects.keys()].filter((name) => name.startsWith(bucket + prefix)).slice(0, 1000);
  const contents = names.map((name) => `<Contents><Key>${name.slice(bucket.length)}</Key></Contents>`);
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<ListBucketResult>${contents.join('')}</ListBucketResult>`,
  };
}

/** Uploads with a trailing checksum come in chunks: `<size in hex>\r\n<bytes>\r\n`. */
function unchunked({ headers, body }: FakeRequest): Buffer {
  if (!String(headers['content-encoding'] ?? '').includes('aws-chunked')) return body;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
