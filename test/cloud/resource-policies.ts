import { isAllowed, type Statement } from './policy.ts';
import { ACCOUNT, type Deployment, type Resource } from './templates.ts';

/** Returns true if a queue's policies let an AWS service send to it for this source. */
export function allowsQueue(
  deployment: Deployment,
  queue: Resource | undefined,
  service: string,
  sourceArn: string,
): boolean {
  const policies = deployment
    .ofType('AWS::SQS::QueuePolicy')
    .filter(({ properties }) => properties.Queues.includes(queue?.ref));
  const statements: Statement[] = policies.flatMap(({ properties }) => properties.PolicyDocument.Statement);
  const open = statements.filter(
    ({ Principal, Effect }) => Effect === 'Deny' || JSON.stringify(Principal).includes(service),
  );
  return isAllowed(open, {
    action: 'sqs:SendMessage',
    resource: queue?.arn ?? '',
    context: { 'aws:SourceArn': sourceArn, 'aws:SecureTransport': 'true' },
  });
}

/** Returns true if an AWS service may invoke the function for this source. */
export function mayInvoke(
  deployment: Deployment,
  functionArn: string,
  service: string,
  sourceArn: string,
): boolean {
  const plain = functionArn.split(':').slice(0, 7).join(':');
  return deployment.ofType('AWS::Lambda::Permission').some(({ properties }) => {
    const isFor =
      [functionArn, plain, nameOf(plain)].includes(properties.FunctionName) &&
      properties.Principal === service;
    return (
      isFor &&
      isAllowed([{ Effect: 'Allow', Action: properties.Action, Resource: properties.SourceArn ?? '*' }], {
        action: 'lambda:InvokeFunction',
        resource: sourceArn,
      })
    );
  });
}

/** Returns true if a topic's policies let an AWS service publish to it. */
export function allowsTopic(deployment: Deployment, topicArn: string, service: string): boolean {
  const statements: Statement[] = deployment
    .ofType('AWS::SNS::TopicPolicy')
    .filter(({ properties }) => properties.Topics.includes(topicArn))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);
  const open = statements.filter(
    ({ Principal, Effect }) => Effect === 'Deny' || JSON.stringify(Principal).includes(service),
  );
  const context = { 'aws:SourceAccount': ACCOUNT, 'aws:SecureTransport': 'true' };
  return isAllowed(open, { action: 'sns:Publish', resource: topicArn, context });
}

/** The last part of an ARN or URL. */
export function nameOf(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? '';
}
