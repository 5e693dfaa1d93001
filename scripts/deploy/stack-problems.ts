import {
  type CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';

type Place = { region: string };

/** SQS rejects the name of a queue for so long after its deletion. */
const NAMES_KEPT_MS = 60_000;

/** The AWS CLI may have other defaults than this command. */
const optionsOf = ({ region }: Place) =>
  `--region ${region}${process.env.AWS_PROFILE ? ` --profile ${process.env.AWS_PROFILE}` : ''}`;

/** Steps to recover from an unfinished or failed deployment; none if the stack can be updated. */
export async function stackProblem(
  client: CloudFormationClient,
  stack: Stack,
  place: Place,
): Promise<string[]> {
  const { StackName: name = '', StackStatus } = stack;
  const status: string = StackStatus ?? '';
  const command = (action: string) => `aws cloudformation ${action} --stack-name ${name} ${optionsOf(place)}`;
  const unprotect = stack.EnableTerminationProtection
    ? `${command('update-termination-protection --no-enable-termination-protection')} && `
    : '';
  const deletion = unprotect + command('delete-stack');
  switch (status) {
    case 'CREATE_FAILED':
    case 'ROLLBACK_COMPLETE':
      return [
        `${name} failed when it was first created. Delete it: ${deletion}`,
        ...(await leftBehind(client, name, place)),
      ];
    case 'ROLLBACK_FAILED':
      return [
        `${name} failed when it was first created, and so did its rollback. Delete it: ${deletion}`,
        ...(await leftBehind(client, name, place)),
      ];
    case 'DELETE_FAILED':
      return [
        `${name} could not be deleted completely. Run npm run destroy again, or check its events in CloudFormation.`,
      ];
    case 'UPDATE_FAILED':
      return [`${name} failed while it was updated. Roll it back: ${command('rollback-stack')}`];
    case 'UPDATE_ROLLBACK_FAILED':
      return [
        `The rollback of ${name} failed. Fix the cause that its events show, then: ${command('continue-update-rollback')}`,
      ];
    case 'REVIEW_IN_PROGRESS':
      return [
        `${name} is a change set that was not executed. Unless another deployment is running, delete it: ${deletion}`,
      ];
    default:
      return status.endsWith('_IN_PROGRESS')
        ? [`${name} is being changed by another deployment (${status}). Wait until it ends.`]
        : [];
  }
}

/** How resources are deleted that are protected, so that neither a rollback nor the deletion of their stack does. */
const DELETIONS: Readonly<Record<string, (id: string, options: string) => string>> = {
  'AWS::DynamoDB::Table': (id, options) =>
    `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled ${options} && aws dynamodb delete-table --table-name ${id} ${options}`,
  'AWS::Cognito::UserPool': (id, options) =>
    `aws cognito-idp update-user-pool --user-pool-id ${id} --deletion-protection INACTIVE ${options} && aws cognito-idp delete-user-pool --user-pool-id ${id} ${options}`,
  'AWS::S3::Bucket': (id, options) => `aws s3 rb s3://${id} ${options}`,
  'AWS::KMS::Key': (id, options) =>
    `aws kms schedule-key-deletion --key-id ${id} --pending-window-in-days 7 ${options}`,
  'AWS::ApiGatewayV2::Api': (id, options) => `aws apigatewayv2 delete-api --api-id ${id} ${options}`,
};

/** The commands for what a failed creation leaves behind: it costs money, and nothing else names it. */
async function leftBehind(client: CloudFormationClient, StackName: string, place: Place): Promise<string[]> {
  const left: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    left.push(...StackResourceSummaries.filter(isLeft));
  const commands = left.flatMap(({ ResourceType = '', PhysicalResourceId = '' }) =>
    DELETIONS[ResourceType] ? [DELETIONS[ResourceType](PhysicalResourceId, optionsOf(place))] : [],
  );
  if (commands.length === 0) return [];
  return [
    `Its protected resources stay, and the next deployment creates new resources. They are empty; delete them after the stack:`,
    ...commands.map((command) => `  ${command}`),
  ];
}

/** Also what a rollback was told to keep. */
function isLeft({ PhysicalResourceId, ResourceStatus = 'CREATE_FAILED' }: StackResourceSummary): boolean {
  return (
    Boolean(PhysicalResourceId) && ResourceStatus !== 'DELETE_COMPLETE' && ResourceStatus !== 'CREATE_FAILED'
  );
}

/** Why a deployment right after its removal has to wait; undefined if it need not. */
export async function deletionProblem(
  client: CloudFormationClient,
  stackName: string,
  nowMs: number,
): Promise<string | undefined> {
  const filter = { StackStatusFilter: ['DELETE_COMPLETE' as const] };
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, filter)) {
    const deleted = StackSummaries.filter(({ StackName }) => StackName === stackName).map(
      ({ DeletionTime }) => DeletionTime?.getTime() ?? 0,
    );
    const waitMs = Math.max(0, ...deleted) + NAMES_KEPT_MS - nowMs;
    if (waitMs > 0)
      return `${stackName} was deleted less than a minute ago, and SQS keeps the names of deleted queues for that long. Run this again in ${Math.ceil(waitMs / 1000)} seconds.`;
  }
  return undefined;
}
