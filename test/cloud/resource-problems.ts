import { TABLE } from '../../shared/database/table.ts';
import { isAllowed, type Statement } from './policy.ts';
import { allowsQueue, nameOf } from './resource-policies.ts';
import type { Roles } from './roles.ts';
import { ACCOUNT, type Deployment, type Resource } from './templates.ts';

/**
 * Returns problems that no call to AWS would show: functions that Lambda cannot run, logs and failed invocations that it
 * cannot store, received email that SES cannot store.
 */
export function resourceProblems(deployment: Deployment, roles: Roles): string[] {
  return [
    ...deployment
      .ofType('AWS::Lambda::Function')
      .flatMap((each) => functionProblems(deployment, each, roles)),
    ...destinationProblems(deployment, roles),
    ...invocationProblems(deployment),
    ...subscriptionProblems(deployment),
    ...integrationProblems(deployment),
    ...expiryProblems(deployment),
    ...receivingProblems(deployment),
  ];
}

function functionProblems(
  deployment: Deployment,
  { ref, template, properties }: Resource,
  roles: Roles,
): string[] {
  const role = deployment
    .ofType('AWS::IAM::Role')
    .find((each) => each.template === template && each.arn === properties.Role);
  const trust = allowing(role?.properties.AssumeRolePolicyDocument?.Statement, 'lambda.amazonaws.com');
  const group = deployment
    .ofType('AWS::Logs::LogGroup')
    .find((each) => each.template === template && each.ref === properties.LoggingConfig?.LogGroup);
  const stream = group?.arn.replace(/\*$/, 'log-stream:one') ?? '';
  const wrong = {
    'its role does not trust Lambda': !isAllowed(trust, { action: 'sts:AssumeRole', resource: '*' }),
    'its log group is missing': group === undefined,
    'its role may not write its log': ['logs:CreateLogStream', 'logs:PutLogEvents']
      .map((action) => roles.allow(ref, { action, resource: stream }))
      .includes(false),
    'its runtime is not that of the tests':
      properties.Runtime !== `nodejs${process.versions.node.split('.')[0]}.x`,
    'its reserved concurrency is 0': properties.ReservedConcurrentExecutions === 0,
  };
  return Object.entries(wrong).flatMap(([text, isWrong]) => (isWrong ? [`${ref}: ${text}`] : []));
}

/** Lambda sends the events of failed invocations with the role of the function. */
function destinationProblems(deployment: Deployment, roles: Roles): string[] {
  return deployment.ofType('AWS::Lambda::EventInvokeConfig').flatMap(({ properties }) => {
    const resource = properties.DestinationConfig?.OnFailure?.Destination;
    const asked = { action: 'sqs:SendMessage', resource: String(resource) };
    const isLost = !resource || !roles.allow(properties.FunctionName, asked);
    return isLost ? [`${properties.FunctionName}: its failed invocations are lost`] : [];
  });
}

/** Rules and topics invoke functions without waiting: what fails there is lost without a destination. */
function invocationProblems(deployment: Deployment): string[] {
  const rules = deployment
    .ofType('AWS::Events::Rule')
    .flatMap(({ properties }) => properties.Targets ?? [])
    .map(({ Arn }: { Arn: string }) => Arn);
  const topics = deployment
    .ofType('AWS::SNS::Subscription')
    .flatMap(({ properties }) => (properties.Protocol === 'lambda' ? [String(properties.Endpoint)] : []));
  const configs = deployment.ofType('AWS::Lambda::EventInvokeConfig');
  return [...rules, ...topics].flatMap((target) => {
    const isKept = configs.some(({ properties }) => target.includes(`:function:${properties.FunctionName}`));
    return isKept ? [] : [`${nameOf(target)}: the events of its failed invocations are lost`];
  });
}

function subscriptionProblems(deployment: Deployment): string[] {
  return deployment.ofType('AWS::SNS::Subscription').flatMap(({ properties }) => {
    const { Protocol, Endpoint, TopicArn } = properties;
    if (Protocol !== 'sqs') return [];
    const queue = deployment.ofType('AWS::SQS::Queue').find(({ arn }) => arn === Endpoint);
    const isOpen = allowsQueue(deployment, queue, 'sns.amazonaws.com', TopicArn);
    return isOpen ? [] : [`${nameOf(Endpoint)} does not accept messages of ${nameOf(TopicArn)}`];
  });
}

/** A function that runs longer than API Gateway waits changes something after its caller got a 503. */
function integrationProblems(deployment: Deployment): string[] {
  return deployment.ofType('AWS::ApiGatewayV2::Integration').flatMap(({ properties }) => {
    const { IntegrationUri, TimeoutInMillis = 30_000 } = properties;
    const invoked = deployment
      .ofType('AWS::Lambda::Function')
      .find(({ arn }) => String(IntegrationUri).includes(arn));
    const isLonger = (invoked?.properties.Timeout ?? 3) * 1000 >= TimeoutInMillis;
    return isLonger ? [`${invoked?.ref}: runs longer than API Gateway waits for it`] : [];
  });
}

function expiryProblems(deployment: Deployment): string[] {
  return deployment.ofType('AWS::DynamoDB::Table').flatMap(({ ref, properties }) => {
    const { Enabled, AttributeName } = properties.TimeToLiveSpecification ?? {};
    return Enabled && AttributeName === TABLE.ttlAttribute ? [] : [`${ref}: its items do not expire`];
  });
}

/** Objects of a run to which no rule of their bucket applies: they are stored indefinitely. */
export function keptObjects(deployment: Deployment, names: Iterable<string>): string[] {
  const rules = deployment
    .ofType('AWS::S3::Bucket')
    .flatMap(({ ref, properties }) =>
      (properties.LifecycleConfiguration?.Rules ?? []).flatMap((rule: Record<string, unknown>) =>
        rule.Status === 'Enabled' && rule.ExpirationInDays ? [`${ref}/${rule.Prefix ?? ''}`] : [],
      ),
    );
  return [...names]
    .filter((name) => !rules.some((prefix) => name.startsWith(prefix)))
    .map((name) => `${name} does not expire`);
}

function receivingProblems(deployment: Deployment): string[] {
  const actions = deployment
    .ofType('AWS::SES::ReceiptRule')
    .flatMap(({ properties }) => properties.Rule.Actions.flatMap(({ S3Action = [] }) => S3Action));
  return actions.flatMap(({ BucketName, ObjectKeyPrefix = '' }) => {
    const statements = deployment
      .ofType('AWS::S3::BucketPolicy')
      .filter(({ properties }) => properties.Bucket === BucketName)
      .flatMap(({ properties }) => properties.PolicyDocument.Statement);
    const asked = {
      action: 's3:PutObject',
      resource: `arn:aws:s3:::${BucketName}/${ObjectKeyPrefix}mail`,
      context: { 'aws:SourceAccount': ACCOUNT, 'aws:SecureTransport': 'true', 's3:TlsVersion': '1.3' },
    };
    const isOpen = isAllowed(allowing(statements, 'ses.amazonaws.com'), asked);
    return isOpen ? [] : [`${BucketName}: SES may not store received email`];
  });
}

/** The statements that apply to a service of AWS. */
function allowing(statements: readonly Statement[] = [], service: string): Statement[] {
  return statements.filter(
    ({ Principal, Effect }) => Effect === 'Deny' || JSON.stringify(Principal).includes(service),
  );
}
