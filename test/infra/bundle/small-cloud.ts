import { createHash, randomBytes } from 'node:crypto';
import { type FakeReply, type FakeRequest, startHttpFake } from '../../support/fakes/http-fake.ts';

/** One statement of a function's role, as its template says it. */
export type Allowed = { actions: string[]; resources: string[]; leadingKeys?: string[] };

/** The services of AWS that functions call, on this machine: each call is judged by the role of its function. */
export type SmallCloud = {
  url: string;
  /** Objects of the blob bucket by name. */
  objects: Map<string, Buffer>;
  /** Bodies of the messages that were sent, by queue name. */
  messages: Map<string, string[]>;
  /** `function: action on resource` of every call that the role does not allow. */
  refused: string[];
  close(): Promise<void>;
};

/** What a call asks for, in the words of IAM. */
type Asked = { action: string; resource: string; keys?: string[] };

/** Functions sign with their own name as the access key, so that every call tells whose it is. */
export async function startSmallCloud(options: {
  dynamodbEndpoint: string;
  roleOf: (functionId: string) => readonly Allowed[];
}): Promise<SmallCloud> {
  const objects = new Map<string, Buffer>();
  const messages = new Map<string, string[]>();
  const refused: string[] = [];
  const server = await startHttpFake(async (request) => {
    const caller = /Credential=([^/]+)\//.exec(String(request.headers.authorization))?.[1] ?? '';
    const target = String(request.headers['x-amz-target'] ?? '');
    const [service = '', operation = ''] = target.split('.');
    const asked = service ? askedByJson(service, operation, request) : askedOfObjects(request);
    const open = asked.filter((each) => !options.roleOf(caller).some((allowed) => isAllowed(each, allowed)));
    refused.push(
      ...open.map(({ action, resource, keys }) => `${caller}: ${action} ${resource} ${keys ?? ''}`),
    );
    if (open.length > 0)
      return { status: 400, body: { __type: 'AccessDeniedException', message: 'refused' } };
    if (service.startsWith('DynamoDB')) return forward(options.dynamodbEndpoint, target, request);
    if (service === 'AmazonSQS') return takeMessages(operation, request, messages);
    if (service === 'TrentService') return dataKey(operation, request);
    return object(request, objects);
  });
  return { url: server.url, objects, messages, refused, close: server.close };
}

function isAllowed(
  { action, resource, keys = [] }: Asked,
  { actions, resources, leadingKeys }: Allowed,
): boolean {
  return (
    actions.includes(action) &&
    resources.some((each) => matches(each, resource)) &&
    (leadingKeys === undefined || keys.every((key) => leadingKeys.some((pattern) => matches(pattern, key))))
  );
}

/** Resources of templates begin with a reference (`<Table….Arn>/index/due`): what follows it can be compared. */
function matches(pattern: string, text: string): boolean {
  const ending = pattern.replace(/^.*>/, '');
  const escaped = ending.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(text);
}

function askedByJson(service: string, operation: string, { body }: FakeRequest): Asked[] {
  const input = JSON.parse(body.toString('utf8'));
  if (service.startsWith('DynamoDB')) return askedOfTable(operation, input);
  if (service === 'AmazonSQS') {
    const action = operation === 'SendMessageBatch' ? 'SendMessage' : operation;
    return [{ action: `sqs:${action}`, resource: `:${String(input.QueueUrl).split('/').at(-1)}` }];
  }
  const isBound = typeof input.EncryptionContext?.accountId === 'string';
  return [{ action: isBound ? `kms:${operation}` : `kms:${operation} without an account`, resource: '' }];
}

type TableInput = {
  TransactItems?: Record<string, TableInput>[];
  RequestItems?: Record<string, { Keys: Record<string, { S: string }>[] }>;
  IndexName?: string;
  Key?: Record<string, { S: string }>;
  Item?: Record<string, { S: string }>;
  ExpressionAttributeValues?: Record<string, { S: string }>;
};

function askedOfTable(operation: string, input: TableInput): Asked[] {
  if (operation === 'TransactWriteItems') {
    const ACTIONS: Record<string, string> = {
      Put: 'PutItem',
      Update: 'UpdateItem',
      Delete: 'DeleteItem',
      ConditionCheck: 'ConditionCheckItem',
    };
    return (input.TransactItems ?? [])
      .flatMap((item) => Object.entries(item))
      .flatMap(([kind, each]) => askedOfTable(ACTIONS[kind] ?? kind, each));
  }
  const batch = Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys.map((key) => key.pk?.S));
  const queried =
    operation === 'Query' && !input.IndexName ? input.ExpressionAttributeValues?.[':pk']?.S : undefined;
  const keys = [...batch, input.Key?.pk?.S, input.Item?.pk?.S, queried].filter((key) => key !== undefined);
  const resource = input.IndexName ? `/index/${input.IndexName}` : '';
  return [{ action: `dynamodb:${operation}`, resource, ...(input.IndexName ? {} : { keys }) }];
}

function askedOfObjects({ method, path }: FakeRequest): Asked[] {
  const ACTIONS: Record<string, string> = {
    GET: 's3:GetObject',
    PUT: 's3:PutObject',
    DELETE: 's3:DeleteObject',
  };
  return [{ action: ACTIONS[method] ?? method, resource: `/${objectNameOf(path)}` }];
}

/** DynamoDB Local keeps a database per access key: all functions share that of the tests. */
async function forward(endpoint: string, target: string, { headers, body }: FakeRequest): Promise<FakeReply> {
  const authorization = String(headers.authorization).replace(/Credential=[^/]+\//, 'Credential=local/');
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'x-amz-target': target,
      'content-type': 'application/x-amz-json-1.0',
      authorization,
      'x-amz-date': String(headers['x-amz-date']),
    },
    body: new Uint8Array(body),
  });
  const type = { 'content-type': 'application/x-amz-json-1.0' };
  return { status: answer.status, headers: type, body: await answer.text() };
}

function takeMessages(operation: string, { body }: FakeRequest, messages: Map<string, string[]>): FakeReply {
  const { QueueUrl, Entries = [] } = JSON.parse(body.toString('utf8'));
  if (operation !== 'SendMessageBatch') return { status: 200, body: {} };
  const queue = String(QueueUrl).split('/').at(-1) ?? '';
  const bodies = Entries.map((entry: { MessageBody: string }) => entry.MessageBody);
  messages.set(queue, [...(messages.get(queue) ?? []), ...bodies]);
  const Successful = Entries.map(({ Id, MessageBody }: { Id: string; MessageBody: string }) => ({
    Id,
    MessageId: Id,
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  }));
  return { status: 200, body: { Successful, Failed: [] } };
}

/** Wrapped and plain are the same here: what counts is who asks, and for which account. */
function dataKey(operation: string, { body }: FakeRequest): FakeReply {
  const { CiphertextBlob } = JSON.parse(body.toString('utf8'));
  const key = operation === 'Decrypt' ? CiphertextBlob : randomBytes(32).toString('base64');
  return { status: 200, body: { KeyId: 'key', Plaintext: key, CiphertextBlob: key } };
}

function object({ method, path, body }: FakeRequest, objects: Map<string, Buffer>): FakeReply {
  const name = objectNameOf(path);
  if (method === 'PUT') objects.set(name, body);
  if (method !== 'GET') return { status: 200, headers: { etag: '"1"' } };
  const found = objects.get(name);
  if (found) return { status: 200, headers: { 'content-type': 'text/plain' }, body: found.toString('utf8') };
  return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
}

function objectNameOf(path: string): string {
  return decodeURIComponent(path.split('?')[0] ?? '').replace(/^\/[^/]+\//, '');
}
