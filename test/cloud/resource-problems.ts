import { isAllowed, type Statement } from './policy.ts';
import type { Roles } from './roles.ts';
import { ACCOUNT, type Deployment, type Resource } from './templates.ts';

/**
 * What is wrong before anything runs, although no call to AWS would show it: functions that Lambda cannot run, logs and
 * failed invocations that it cannot keep, received email that SES cannot store.
 */
export function resourceProblems(deployment: Deployment, roles: Roles): string[] {
  return [
    ...deployment
      .ofType('AWS::Lambda::Function')
      .flatMap((each) => functionProblems(deployment, each, roles)),
    ...destinationProblems(deployment, roles),
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
