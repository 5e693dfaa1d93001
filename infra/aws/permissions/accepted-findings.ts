import { Stage, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** An accepted finding of cdk-nag, with the reason. `rule` and `path` (of the construct) match as a whole. */
export type Accepted = { rule: RegExp; path: RegExp; reason: string };

/** Statements, by sid, whose actions do not support resources: only `*` is possible. */
export const WITHOUT_RESOURCE: Readonly<Record<string, string>> = {
  Traces: 'X-Ray accepts traces for the account; it has no resources to name.',
  CarrierLookup: 'Any phone number can be looked up; numbers are not resources.',
  ReceiptRules: "IAM has no resource for SES's rules for received email.",
  SuppressionList: 'SES has one suppression list per account, which is not a resource.',
};

const ROLE = /^(Delivery|Api)\/.*Role\/Resource$/;
const FUNCTION = /^(Delivery|Api)\/.*\/Resource$/;

/**
 * Wildcards of roles: the resources are created at run time, so their names are unknown when roles are
 * created.
 */
const WILDCARDS: readonly Accepted[] = [
  {
    rule: /^AwsSolutions-IAM5\[Resource::\*\]$/,
    path: ROLE,
    reason: 'The statements listed in WITHOUT_RESOURCE.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::[^*\]]*Blobs[^*\]]*\/[a-z]+\/\*\]$/,
    path: ROLE,
    reason: 'Objects in the folders of the row: each body is a separate object, named by its tracking ID.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::[^*\]]*[Tt]able[^*\]]*\/stream\/\*\]$/,
    path: ROLE,
    reason: 'Lambda checks ListStreams on all streams of the table when the event source is created.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:[^\]]*:ses:[^\]]*:(identity|configuration-set)\/\*\]$/,
    path: ROLE,
    reason: 'Sender domains belong to customers and change at run time; each may have any configuration set.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:[^\]]*:kms:[^\]]*:key\/\*\]$/,
    path: ROLE,
    reason:
      'The key of the secret is unknown; its conditions allow that one secret alone, through Secrets Manager.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:[^\]]*:sms-voice:[^\]]*\/\*\]$/,
    path: ROLE,
    reason: 'Numbers, pools and sender IDs are bought and registered at run time.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:[^\]]*:execute-api:[^\]]*\/@connections\/\*\]$/,
    path: ROLE,
    reason: 'Connections of browsers, which live for minutes.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:[^\]]*:cloudwatch:[^\]]*:alarm:\*\]$/,
    path: ROLE,
    reason: 'CodeDeploy only reads the state of alarms, with a request that needs access to all of them.',
  },
  {
    rule: /^Serverless-LambdaStarPermissions$/,
    path: ROLE,
    reason:
      'Any `*` counts here, including that of X-Ray; AwsSolutions-IAM5 names each one, and each has its row above.',
  },
];

const FUNCTIONS: readonly Accepted[] = [
  {
    rule: /^AwsSolutions-APIG4$/,
    path: /^(Api|Delivery)\/.*/,
    reason:
      'API keys and access tokens are verified by the function, from its row: a Lambda authorizer would double the cost of a request, and preflight requests carry no credential.',
  },
  {
    rule: /^(AwsSolutions-APIG1|Serverless-APIGWAccessLogging)$/,
    path: /^Delivery\/WebSocketStage$/,
    reason:
      'Access logs of a WebSocket API need a role in account-wide settings, which this deployment must not change.',
  },
  {
    rule: /^Serverless-LambdaTracing$/,
    path: FUNCTION,
    reason: 'Traces cost more than the functions: the parameter `tracing` enables them.',
  },
  {
    rule: /^Serverless-LambdaDLQ$/,
    path: FUNCTION,
    reason:
      'A failed invocation is returned to the caller, or its messages go to the dead letters of their queue or stream; schedules and object events have a failure destination.',
  },
  {
    rule: /^Serverless-LambdaEventSourceMappingDestination$/,
    path: /^Delivery\/.*Source$/,
    reason: 'Lambda supports destinations for streams only; a queue has its own dead letters.',
  },
];

const RESOURCES: readonly Accepted[] = [
  {
    rule: /^(AwsSolutions-SQS3|Serverless-SQSRedrivePolicy)$/,
    path: /^Delivery\/(.*DeadLetters|FailedInvocations)\/Resource$/,
    reason: 'It is itself a queue of dead letters: an alarm fires at the first message.',
  },
  {
    rule: /^Serverless-SNSRedrivePolicy$/,
    path: /^Observability\/AlarmAddress$/,
    reason: 'A lost email about an alarm is useless later; the alarm itself stays on.',
  },
  {
    rule: /^AwsSolutions-S1$/,
    path: /^Data\/Blobs\/Resource$/,
    reason:
      'Only this deployment’s functions access the bucket; operators who want a log enable data events in CloudTrail.',
  },
  {
    rule: /^AwsSolutions-COG2$/,
    path: /^Data\/Members\/Resource$/,
    reason: 'A second factor is optional for members: machines use API keys.',
  },
  {
    rule: /^AwsSolutions-COG8$/,
    path: /^Data\/Members\/Resource$/,
    reason: 'Threat protection needs the Plus plan, which is billed per member; an owner may enable it.',
  },
];

/** Every exception from the rule packs. An unneeded one fails a test. */
export const ACCEPTED: readonly Accepted[] = [...WILDCARDS, ...FUNCTIONS, ...RESOURCES];

/** A rule pack of cdk-nag, which an app may have registered. */
type RulePack = {
  validateScope(scope: IConstruct): {
    violations: { ruleName: string; violatingResources: { constructPath?: string }[] }[];
  };
};

/** Records the reason of each accepted finding on its construct, where the rule packs of the app look for it. */
export function acknowledgeFindings(service: IConstruct): void {
  const packs = (Stage.of(service)?._validationPlugins ?? []) as unknown as Partial<RulePack>[];
  for (const pack of packs) {
    for (const { ruleName, violatingResources } of pack.validateScope?.(service).violations ?? []) {
      for (const { constructPath = '' } of violatingResources) {
        const path = constructPath.slice(service.node.path.length + 1);
        const row = ACCEPTED.find(({ rule, path: accepted }) => rule.test(ruleName) && accepted.test(path));
        const found = path
          .split('/')
          .reduce<IConstruct | undefined>((at, id) => at?.node.tryFindChild(id), service);
        if (row && found) Validations.of(found).acknowledge({ id: ruleName, reason: row.reason });
      }
    }
  }
}
