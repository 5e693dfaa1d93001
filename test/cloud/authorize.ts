import type { FakeRequest } from '../support/fakes/http-fake.ts';
import type { Request } from './policy.ts';
import { ACCOUNT, REGION } from './templates.ts';

/** A call to AWS: its service by the name that signatures have, its operation, and the input when that is JSON. */
export type Call = {
  service: string;
  operation: string;
  /** Name of the calling function, which it signs with as its access key. */
  caller: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of AWS are free JSON, read by path
  input: any;
  request: FakeRequest;
};

/** Reads who calls what; undefined for a request that is not signed. */
export function readCall(request: FakeRequest): Call | undefined {
  const [, caller = '', service = ''] =
    /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(String(request.headers.authorization)) ?? [];
  if (!service) return undefined;
  const target = String(request.headers['x-amz-target'] ?? '').split('.');
  const isJson = target.length > 1 || String(request.headers['content-type']).includes('json');
  return {
    service,
    operation: target.at(1) ?? `${request.method} ${request.path.split('?')[0]}`,
    caller,
    input:
      isJson && request.body.length > 0 && service !== 'execute-api' && service !== 's3'
        ? JSON.parse(request.body.toString('utf8'))
        : {},
    request,
  };
}

const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** A call's needs in IAM's terms: action, resource and the condition keys that policies here may use. */
export function requestsOf(call: Call): Request[] {
  const read = SERVICES[call.service];
  if (!read) throw new Error(`${call.caller} calls ${call.service}, which is not emulated`);
  return read(call);
}

const SERVICES: Readonly<Record<string, (call: Call) => Request[]>> = {
  dynamodb: ({ operation, input }) => tableRequests(operation, input),
  sqs: ({ operation, input }) => [
    {
      action: `sqs:${operation.replace(/Batch$/, '')}`,
      resource: arn('sqs', String(input.QueueUrl).split('/').at(-1) ?? ''),
    },
  ],
  kms: ({ operation, input }) => {
    const context: Record<string, string> = input.EncryptionContext ?? {};
    const keys = { 'kms:EncryptionContextKeys': Object.keys(context) };
    const values = Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]);
    // The ciphertext names its key.
    const resource =
      input.KeyId ??
      Buffer.from(input.CiphertextBlob ?? '', 'base64')
        .toString('utf8')
        .split(' ')[0];
    return [{ action: `kms:${operation}`, resource, context: { ...keys, ...Object.fromEntries(values) } }];
  },
  s3: ({ request }) => {
    const { bucket, key } = objectOf(request.path);
    const action = {
      GET: 's3:GetObject',
      HEAD: 's3:GetObject',
      PUT: 's3:PutObject',
      DELETE: 's3:DeleteObject',
    }[request.method];
    return [
      key
        ? { action: action ?? `s3:${request.method}`, resource: `arn:aws:s3:::${bucket}/${key}` }
        : {
            action: 's3:ListBucket',
            resource: `arn:aws:s3:::${bucket}`,
            context: { 's3:prefix': prefixOf(request.path) },
          },
    ];
  },
  secretsmanager: ({ operation, input }) => [
    { action: `secretsmanager:${operation}`, resource: input.SecretId },
  ],
  'cognito-idp': ({ operation, input }) => [
    { action: `cognito-idp:${operation}`, resource: arn('cognito-idp', `userpool/${input.UserPoolId}`) },
  ],
  'sms-voice': ({ operation, input }) => [
    { action: `sms-voice:${operation}`, resource: smsResource(input) },
    ...(input.ConfigurationSetName
      ? [
          {
            action: `sms-voice:${operation}`,
            resource: arn('sms-voice', `configuration-set/${input.ConfigurationSetName}`),
          },
        ]
      : []),
  ],
  ses: sesRequests,
  events: ({ input }) =>
    input.Entries.map(({ EventBusName = 'default', Source }: { EventBusName?: string; Source: string }) => ({
      action: 'events:PutEvents',
      context: { 'events:source': Source },
      resource: EventBusName.startsWith('arn:') ? EventBusName : arn('events', `event-bus/${EventBusName}`),
    })),
  'execute-api': ({ request }) => {
    const [, stage = ''] = request.path.split('/');
    const api = String(request.headers['x-cloud-api'] ?? '');
    return [
      {
        action: 'execute-api:ManageConnections',
        resource: arn(
          'execute-api',
          `${api}/${stage}/${request.method}${request.path.slice(stage.length + 1)}`,
        ),
      },
    ];
  },
};

function smsResource({ OriginationIdentity, OptOutListName, PhoneNumber }: Record<string, string>): string {
  if (PhoneNumber) return '*';
  if (OptOutListName) return arn('sms-voice', `opt-out-list/${OptOutListName}`);
  return OriginationIdentity?.startsWith('arn:')
    ? OriginationIdentity
    : arn('sms-voice', `phone-number/${OriginationIdentity ?? 'any'}`);
}

function sesRequests({ operation, input }: Call): Request[] {
  const [method = '', path = ''] = operation.split(' ');
  if (path === '/v2/email/outbound-emails') {
    const domain = /@([^>\s]+)/.exec(input.FromEmailAddress ?? '')?.[1];
    // AWS documents neither action for an email with attachments: it needs both here.
    const hasFiles = input.Content?.Simple?.Attachments !== undefined;
    const set = input.ConfigurationSetName;
    return ['ses:SendEmail', ...(hasFiles ? ['ses:SendRawEmail'] : [])].flatMap((action) => [
      { action, resource: arn('ses', `identity/${domain}`) },
      ...(set ? [{ action, resource: arn('ses', `configuration-set/${set}`) }] : []),
    ]);
  }
  const [, , , kind, name = '', part = ''] = path.split('/');
  if (kind === 'suppression')
    return [{ action: `ses:${method === 'DELETE' ? 'Delete' : 'Get'}SuppressedDestination`, resource: '*' }];
  const identity = decodeURIComponent(name || input.EmailIdentity || '');
  const verb =
    part === 'dkim'
      ? 'PutEmailIdentityDkimSigningAttributes'
      : part === 'mail-from'
        ? 'PutEmailIdentityMailFromAttributes'
        : `${{ GET: 'Get', POST: 'Create', DELETE: 'Delete', PUT: 'Put' }[method]}EmailIdentity`;
  return [{ action: `ses:${verb}`, resource: arn('ses', `identity/${identity}`) }];
}

type TableInput = {
  TableName?: string;
  TransactItems?: Record<string, TableInput>[];
  RequestItems?: Record<
    string,
    { Keys?: Item[] } | { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]
  >;
  IndexName?: string;
  Key?: Item;
  Item?: Item;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
};
type Item = Record<string, { S?: string }>;

const TRANSACTED: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

function tableRequests(operation: string, input: TableInput): Request[] {
  if (operation.startsWith('Transact')) {
    const items = (input.TransactItems ?? []).flatMap((item) => Object.entries(item));
    return items.flatMap(([kind, each]) => tableRequests(TRANSACTED[kind] ?? kind, each));
  }
  if (operation.startsWith('Batch')) {
    return Object.entries(input.RequestItems ?? {}).map(([table, asked]) => {
      const keys = Array.isArray(asked)
        ? asked.map((each) => each.PutRequest?.Item ?? each.DeleteRequest?.Key ?? {})
        : (asked.Keys ?? []);
      return tableRequest(
        operation,
        table,
        keys.map(({ pk }) => pk?.S ?? ''),
      );
    });
  }
  const table = input.TableName ?? '';
  if (operation !== 'Query')
    return [tableRequest(operation, table, [(input.Key ?? input.Item)?.pk?.S ?? ''])];
  // The first equality of a key condition is the partition key, of the table or of the index.
  const value = /=\s*(:\w+)/.exec(input.KeyConditionExpression ?? '')?.[1] ?? '';
  return [
    tableRequest(operation, table, [input.ExpressionAttributeValues?.[value]?.S ?? ''], input.IndexName),
  ];
}

function tableRequest(operation: string, table: string, keys: string[], index?: string): Request {
  return {
    action: `dynamodb:${operation}`,
    resource: arn('dynamodb', `table/${table}${index ? `/index/${index}` : ''}`),
    context: { 'dynamodb:LeadingKeys': keys },
  };
}

/** Bucket and key of a path-style address. */
export function objectOf(path: string): { bucket: string; key: string } {
  const [, bucket = '', key = ''] = /^\/([^/?]+)\/?([^?]*)/.exec(path) ?? [];
  return { bucket, key: decodeURIComponent(key) };
}

/** The prefix of names that a request lists. */
export function prefixOf(path: string): string {
  return new URLSearchParams(path.split('?')[1]).get('prefix') ?? '';
}
