import { relative } from 'node:path';
import { Duration, FileAssetPackaging, FileSystem, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { nameOf, type Platform, pascalOf } from '../platform.ts';
import { queueUp } from './lanes.ts';
import { resourceOf } from './resource-of.ts';
import { type Invoked, invokedAs } from './rollout.ts';
import type { Statement } from './statement.ts';

/** A function to make. `id` is kebab-case, the same in the tables, in names and on the command line. */
export type FunctionOptions = {
  id: string;
  summary: string;
  code: lambda.Code;
  memoryMb: number;
  timeoutSeconds: number;
  statements: readonly Statement[];
  environment: Readonly<Record<string, string>>;
  /** Concurrent invocations; undefined: as in the parameters. */
  concurrency?: number | undefined;
  /** True if messages that it sends may come back to it. */
  mayRecur?: boolean;
};

/**
 * A folder in the output folder, which is not copied again. The assembly refers to it by a relative path, so that it can be moved to
 * another machine.
 */
export class FolderCode extends lambda.Code {
  private readonly folder: string;

  constructor(folder: string) {
    super();
    this.folder = folder;
  }

  bind(scope: Construct): lambda.CodeConfig {
    const { bucketName, objectKey } = Stack.of(scope).synthesizer.addFileAsset({
      fileName: relative(Stage.of(scope)?.outdir ?? '', this.folder),
      packaging: FileAssetPackaging.ZIP_DIRECTORY,
      sourceHash: FileSystem.fingerprint(this.folder),
    });
    return { s3Location: { bucketName, objectKey } };
  }
}

const LOG_LEVELS: Readonly<Record<string, lambda.ApplicationLogLevel>> = {
  DEBUG: lambda.ApplicationLogLevel.DEBUG,
  INFO: lambda.ApplicationLogLevel.INFO,
  WARN: lambda.ApplicationLogLevel.WARN,
  ERROR: lambda.ApplicationLogLevel.ERROR,
  SILENT: lambda.ApplicationLogLevel.FATAL,
};

/**
 * A function with a separate role and log group: three resources, and no policy other than the given
 * statements.
 */
export function createFunction(stack: Stack, platform: Platform, options: FunctionOptions): Invoked {
  const { parameters } = platform;
  const functionName = nameOf(platform, options.id);
  const id = pascalOf(options.id);
  const logGroup = new logs.LogGroup(stack, `${id}Logs`, {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: parameters.logRetentionDays,
    // If it were retained, its name would be in use when the function is created again.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = createRole(stack, `${id}Role`, [
    ...runtimeStatements(logGroup, parameters.tracing === 'on'),
    ...options.statements,
  ]);
  const first = [logGroup, role].map(resourceOf);
  const concurrency = options.concurrency ?? parameters.reservedConcurrency[options.id];
  const invoked = new lambda.Function(stack, id, {
    functionName,
    description: options.summary.slice(0, 256),
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    handler: 'index.handler',
    code: options.code,
    memorySize: parameters.memoryMb[options.id] ?? options.memoryMb,
    timeout: Duration.seconds(options.timeoutSeconds),
    environment: options.environment,
    role: role.withoutPolicyUpdates(),
    logGroup,
    ...defined({ tracing: parameters.tracing === 'on' ? lambda.Tracing.ACTIVE : undefined }),
    loggingFormat: lambda.LoggingFormat.JSON,
    // Lambda's start, end and report lines cost more than this service's own lines; metrics show the same.
    systemLogLevelV2: lambda.SystemLogLevel.WARN,
    // Lambda drops lines below this level, even if the logger writes them.
    applicationLogLevelV2: LOG_LEVELS[parameters.settings.LOG_LEVEL ?? ''] ?? lambda.ApplicationLogLevel.INFO,
    ...defined({
      reservedConcurrentExecutions: concurrency,
      recursiveLoop: options.mayRecur ? lambda.RecursiveLoop.ALLOW : undefined,
    }),
  });
  // The role's policies are part of it: the reference to the role is the only dependency needed.
  const resource = resourceOf(invoked);
  resource.addDeletionOverride('DependsOn');
  queueUp(stack, 'functions', { first, last: resource });
  return invokedAs(stack, platform, { id: options.id, name: functionName, invoked });
}

/** Only this file adds to a role: grants by constructs are ignored. */
function createRole(stack: Stack, id: string, statements: readonly Statement[]): iam.Role {
  const document = new iam.PolicyDocument({ statements: statements.map(toPolicyStatement) });
  const role = new iam.Role(stack, id, {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { row: document },
  });
  return role;
}

function toPolicyStatement({ sid, actions, resources, conditions }: Statement): iam.PolicyStatement {
  return new iam.PolicyStatement({
    sid,
    actions: [...actions],
    resources: [...resources],
    ...defined({ conditions }),
  });
}

function runtimeStatements(logGroup: logs.ILogGroup, isTraced: boolean): Statement[] {
  return [
    {
      sid: 'Logs',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    },
    ...(isTraced
      ? [{ sid: 'Traces', actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] }]
      : []),
  ];
}

/** Lets a service of AWS invoke the function, for one source only. */
export function allowInvocation(
  stack: Stack,
  id: string,
  options: { invoked: Pick<Invoked, 'functionArn'>; principal: string; sourceArn: string },
): lambda.CfnPermission {
  return new lambda.CfnPermission(stack, id, {
    action: 'lambda:InvokeFunction',
    functionName: options.invoked.functionArn,
    principal: options.principal,
    sourceArn: options.sourceArn,
  });
}
