import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A resource of the synthesized templates with its intrinsic functions resolved. */
export type Resource = {
  /** Logical ID. */
  id: string;
  /** Name of the template's file, without its ending. */
  template: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are free JSON, read by path
  properties: any;
  /** Returns the value of `Ref` and `Fn::GetAtt`. */
  ref: string;
  arn: string;
};

/** Everything that a deployment of a folder such as `cdk.out` would create. */
export type Deployment = {
  resources: Resource[];
  /** Resources of a type such as `AWS::SQS::Queue`. */
  ofType(type: string): Resource[];
  /** Values of stack outputs by `<stack name>.<output>`. */
  outputs: ReadonlyMap<string, string>;
  /** Folder or file of an asset by its hash. */
  assetPath(hash: string): string;
};

export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': '',
};

// biome-ignore lint/suspicious/noExplicitAny: templates are free JSON, read by path
export type TemplateResource = { Type: string; Properties?: any };
type Template = {
  Resources?: Record<string, TemplateResource>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
};
type Parsed = { name: string; stackName: string; template: Template };

/** Reads every template of a folder, nested ones too. Throws for an intrinsic function or attribute it does not support. */
export function readDeployment(
  folder: string,
  change: (resource: TemplateResource) => void = () => {},
): Deployment {
  const assets = readAssets(folder);
  const parsed = readTemplates(folder);
  const unique = randomBytes(6).toString('hex');
  for (const { template } of parsed)
    for (const resource of Object.values(template.Resources ?? {})) change(resource);
  const exported = new Map<string, () => string>();
  const outputs = new Map<string, string>();
  const resources: Resource[] = [];
  const finish: (() => void)[] = [];
  for (const { name, stackName, template } of parsed) {
    const own = new Map<string, Resource>();
    const evaluate = (value: unknown): unknown => evaluated(value, own, exported);
    for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources ?? {})) {
      own.set(id, { id, template: name, type: Type, properties: Properties, ref: '', arn: '' });
    }
    for (const [output, { Value, Export }] of Object.entries(template.Outputs ?? {})) {
      if (Export) exported.set(Export.Name, () => String(evaluate(Value)));
      finish.push(() => outputs.set(`${stackName}.${output}`, String(evaluate(Value))));
    }
    // Names come first: everything else may refer to them.
    for (const resource of own.values()) Object.assign(resource, identityOf(resource, stackName, unique));
    finish.push(() => {
      for (const resource of own.values()) resource.properties = evaluate(resource.properties);
    });
    resources.push(...own.values());
  }
  for (const step of finish) step();
  return {
    resources,
    outputs,
    ofType: (type) => resources.filter((resource) => resource.type === type),
    assetPath: (hash) => assets.get(hash) ?? fail(`there is no asset ${hash}`),
  };
}

function readTemplates(folder: string): Parsed[] {
  const { artifacts } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.template.json'));
  return files.map((file) => {
    const name = file.split('.')[0] ?? file;
    const stackName = artifacts[name]?.properties?.stackName ?? name;
    return { name, stackName, template: JSON.parse(readFileSync(join(folder, file), 'utf8')) };
  });
}

function readAssets(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.assets.json'));
  const entries = files.flatMap((file) =>
    Object.entries<{ source: { path?: string } }>(JSON.parse(readFileSync(join(folder, file), 'utf8')).files),
  );
  return new Map(entries.map(([hash, { source }]) => [hash, resolve(folder, source.path ?? '')]));
}

function evaluated(
  value: unknown,
  own: ReadonlyMap<string, Resource>,
  exported: ReadonlyMap<string, () => string>,
): unknown {
  const next = (each: unknown) => evaluated(each, own, exported);
  if (Array.isArray(value)) return value.map(next);
  if (typeof value !== 'object' || value === null) return value;
  const [[name = '', argument] = []] = Object.entries(value);
  const resourceOf = (id: string) => own.get(id) ?? fail(`there is no resource ${id}`);
  if (name === 'Ref') return PSEUDO[String(argument)] ?? resourceOf(String(argument)).ref;
  if (name === 'Fn::GetAtt') return attributeOf(resourceOf(pair(argument)[0]), pair(argument)[1]);
  if (name === 'Fn::ImportValue')
    return (exported.get(String(next(argument))) ?? (() => fail(`nothing exports ${String(argument)}`)))();
  if (name === 'Fn::Join') {
    const [separator, parts] = Array.isArray(argument) ? argument : ['', []];
    return (next(parts) as unknown[]).join(separator);
  }
  if (name === 'Fn::Sub') {
    return String(argument).replace(/\$\{([^}]+)\}/g, (_, id: string) => PSEUDO[id] ?? resourceOf(id).ref);
  }
  if (name.startsWith('Fn::')) return fail(`${name} is not evaluated here`);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, next(each)]));
}

function pair(value: unknown): [string, string] {
  if (Array.isArray(value)) return [String(value[0]), String(value[1])];
  const [id = '', attribute = ''] = String(value).split('.');
  return [id, attribute];
}

/** `Ref` and ARN of a resource by its type; names are the template's, or the logical ID where AWS would make one up. */
function identityOf(
  { id, type, properties: given }: Resource,
  stackName: string,
  unique: string,
): { ref: string; arn: string } {
  const named = (property: string) =>
    typeof given[property] === 'string' ? given[property] : `${stackName}-${id}-${unique}`;
  const arn = (service: string, resource: string, hasPlace = true) =>
    `arn:aws:${service}:${hasPlace ? `${REGION}:${ACCOUNT}` : ':'}:${resource}`;
  switch (type) {
    case 'AWS::Lambda::Function':
      return { ref: named('FunctionName'), arn: arn('lambda', `function:${named('FunctionName')}`) };
    case 'AWS::DynamoDB::Table':
      return { ref: named('TableName'), arn: arn('dynamodb', `table/${named('TableName')}`) };
    case 'AWS::SQS::Queue':
      return {
        ref: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${named('QueueName')}`,
        arn: arn('sqs', named('QueueName')),
      };
    case 'AWS::SNS::Topic':
      return { ref: arn('sns', named('TopicName')), arn: arn('sns', named('TopicName')) };
    case 'AWS::S3::Bucket': {
      const name = named('BucketName').toLowerCase();
      return { ref: name, arn: `arn:aws:s3:::${name}` };
    }
    case 'AWS::KMS::Key':
      return { ref: id, arn: arn('kms', `key/${id}`) };
    case 'AWS::Cognito::UserPool':
      return { ref: `${REGION}_${id}`, arn: arn('cognito-idp', `userpool/${REGION}_${id}`) };
    case 'AWS::ApiGatewayV2::Api':
      return { ref: id.toLowerCase(), arn: arn('apigateway', `/apis/${id.toLowerCase()}`) };
    case 'AWS::IAM::Role':
      return { ref: id, arn: `arn:aws:iam::${ACCOUNT}:role/${id}` };
    case 'AWS::Logs::LogGroup':
      return { ref: named('LogGroupName'), arn: arn('logs', `log-group:${named('LogGroupName')}:*`) };
    case 'AWS::Events::Rule':
      return { ref: named('Name'), arn: arn('events', `rule/${named('Name')}`) };
    case 'AWS::Events::EventBus':
      return { ref: named('Name'), arn: arn('events', `event-bus/${named('Name')}`) };
    default:
      return { ref: typeof given.Name === 'string' ? given.Name : id, arn: arn('cloudformation', id) };
  }
}

function attributeOf(resource: Resource, attribute: string): string {
  const { type, ref, arn, properties } = resource;
  if (attribute === 'Arn' || attribute === 'TopicArn') return arn;
  if (type === 'AWS::DynamoDB::Table' && attribute === 'StreamArn')
    return `${arn}/stream/2026-01-01T00:00:00.000`;
  if (type === 'AWS::SQS::Queue' && attribute === 'QueueName') return ref.split('/').at(-1) ?? '';
  if (type === 'AWS::SNS::Topic' && attribute === 'TopicName') return arn.split(':').at(-1) ?? '';
  if (type === 'AWS::ApiGatewayV2::Api' && attribute === 'ApiEndpoint') {
    const scheme = properties.ProtocolType === 'WEBSOCKET' ? 'wss' : 'https';
    return `${scheme}://${ref}.execute-api.${REGION}.amazonaws.com`;
  }
  if (type === 'AWS::ApiGatewayV2::DomainName') return `${ref}.${attribute.toLowerCase()}.example`;
  return fail(`${type} has no attribute ${attribute} here`);
}

function fail(message: string): never {
  throw new Error(message);
}
