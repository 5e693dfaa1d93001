import type { Environment } from 'aws-cdk-lib';
import { Stage, Tags } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import * as events from 'aws-cdk-lib/aws-events';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as secrets from 'aws-cdk-lib/aws-secretsmanager';
import * as cxapi from 'aws-cdk-lib/cx-api';
import { Construct, type IConstruct } from 'constructs';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { packagedCode } from './packaged-code.ts';
import { contextOf } from './parameters/parameters.ts';
import type { NotificationEvent, ServiceParameters } from './parameters/service-parameters.ts';
import { acknowledgeFindings } from './permissions/accepted-findings.ts';
import { createAccessStack, sendKeyNameOf } from './stacks/access-stack.ts';
import { createServiceStacks, type ServiceCode, type ServiceStacks } from './stacks/service-stacks.ts';
import { eventSourceOf } from './triggers/event-bus.ts';

/** What a service in this app and one that is deployed elsewhere have in common. */
export interface INotificationService extends IConstruct {
  /** Address of the API. */
  readonly baseUrl: string;
  /** Browsers connect to this address for the live inbox. */
  readonly webSocketUrl: string;
  /** The table with everything that is stored. */
  readonly table: dynamodb.ITable;
  /**
   * Lets a function, a container or a role send: it may read the secret with the key. A function or container also gets the
   * environment variables `NDS_URL` (address of the API) and `NDS_KEY_SECRET` (ARN of the secret, whose text is the key).
   */
  grantSend(grantee: iam.IGrantable | lambda.Function | ecs.ContainerDefinition): iam.Grant;
  /** Creates a rule that passes events of this service to a target. Needs `eventBus`. */
  onEvent(scope: Construct, id: string, options: OnEventOptions): events.Rule;
}

/** Which events go where. */
export interface OnEventOptions {
  /** Names of events, such as `EMAIL_FAILED`. Default: all. */
  readonly events?: readonly NotificationEvent[];
  /** Receives each event: a queue, a function, a state machine. */
  readonly target: events.IRuleTarget;
  /** Only events of this environment (`clientId`). Default: of all environments. */
  readonly environmentId?: string;
}

/** A service that another app or `npm run deploy` has deployed. */
export interface NotificationServiceAttributes {
  /** Output `BaseUrl` of the stack `<name>-<stage>-gateway`. */
  readonly baseUrl: string;
  /** Output `WebSocketUrl` of the same stack. */
  readonly webSocketUrl: string;
  /** ARN of the table. */
  readonly tableArn: string;
  readonly stage: string;
  /** Default: notifications. */
  readonly name?: string;
  /** The service publishes its events on this bus, by name or ARN. */
  readonly eventBus?: string;
}

/** The parameters of a deployment, and what the app decides. */
export interface NotificationServiceProps extends ServiceParameters {
  /** Account and region of the stacks. Default: account and region of the CDK's command line. */
  readonly env?: Environment;
  /** Email address of the first account's administrator; `grantSend` needs it. Default: `alarmAddress`. */
  readonly administrator?: string;
}

abstract class ServiceBase extends Construct implements INotificationService {
  abstract readonly baseUrl: string;
  abstract readonly webSocketUrl: string;
  abstract readonly table: dynamodb.ITable;
  protected abstract readonly eventBus: string;
  protected abstract readonly eventSource: string;
  protected abstract sendKey(): secrets.ISecret;

  grantSend(grantee: iam.IGrantable | lambda.Function | ecs.ContainerDefinition): iam.Grant {
    const secret = this.sendKey();
    if ('addEnvironment' in grantee) {
      grantee.addEnvironment('NDS_URL', this.baseUrl);
      grantee.addEnvironment('NDS_KEY_SECRET', secret.secretArn);
    }
    return secret.grantRead('taskDefinition' in grantee ? grantee.taskDefinition.taskRole : grantee);
  }

  onEvent(scope: Construct, id: string, options: OnEventOptions): events.Rule {
    const { events: names, target, environmentId } = options;
    if (!this.eventBus)
      throw new Error("onEvent needs the property eventBus of the service, such as 'default'.");
    const bus = this.eventBus.startsWith('arn:')
      ? events.EventBus.fromEventBusArn(scope, `${id}Bus`, this.eventBus)
      : events.EventBus.fromEventBusName(scope, `${id}Bus`, this.eventBus);
    return new events.Rule(scope, id, {
      eventBus: bus,
      eventPattern: {
        source: [this.eventSource],
        ...(names ? { detailType: [...names] } : {}),
        ...(environmentId ? { resources: [`environment/${environmentId}`] } : {}),
      },
      targets: [target],
    });
  }
}

/**
 * The whole service: five stacks with their functions, table and queues. `npm run deploy` uses this construct too, so a stage
 * that was deployed by one can be continued by the other.
 */
export class NotificationService extends ServiceBase {
  readonly baseUrl: string;
  readonly webSocketUrl: string;
  readonly table: dynamodb.ITable;
  /** Account and region of the stacks. */
  readonly env: Environment | undefined;
  /** @internal */
  readonly _stacks: ServiceStacks;
  protected readonly eventBus: string;
  protected readonly eventSource: string;
  private readonly administrator: string;
  private secret: secrets.ISecret | undefined;

  /** Refers to a service that is deployed elsewhere. */
  static fromAttributes(
    scope: Construct,
    id: string,
    attributes: NotificationServiceAttributes,
  ): INotificationService {
    return new ImportedService(scope, id, attributes);
  }

  constructor(scope: Construct, id: string, props?: NotificationServiceProps);
  /** @internal */
  constructor(scope: Construct, id: string, props: NotificationServiceProps, code: ServiceCode);
  constructor(scope: Construct, id: string, props: NotificationServiceProps = {}, code?: ServiceCode) {
    super(scope, id);
    pinFlags(this);
    const { env, administrator, ...given } = props;
    this.env = env;
    this._stacks = createServiceStacks(
      this,
      contextOf(given),
      code ?? packagedCode(Stage.of(this)?.assetOutdir ?? ''),
    );
    this.node.addValidation({
      validate: () => {
        acknowledgeFindings(this);
        return [];
      },
    });
    const { platform, stacks } = this._stacks;
    const { parameters } = platform;
    this.baseUrl = platform.httpApi.baseUrl;
    this.webSocketUrl = platform.websocketApi.endpoint.replace(/^https:/, 'wss:');
    this.eventBus = parameters.eventBus;
    this.eventSource = eventSourceOf(parameters);
    this.administrator = administrator ?? parameters.alarmAddress;
    this.table = dynamodb.Table.fromTableArn(stacks[0], 'UsedTable', platform.table.arn);
    for (const stack of stacks)
      for (const [key, value] of Object.entries({ application: parameters.name, stage: parameters.stage }))
        Tags.of(stack).add(key, value);
  }

  protected sendKey(): secrets.ISecret {
    this.secret ??= createAccessStack(this, this._stacks, this.administrator);
    return this.secret;
  }
}

class ImportedService extends ServiceBase {
  readonly baseUrl: string;
  readonly webSocketUrl: string;
  readonly table: dynamodb.ITable;
  protected readonly eventBus: string;
  protected readonly eventSource: string;
  private readonly secret: secrets.ISecret;

  constructor(scope: Construct, id: string, attributes: NotificationServiceAttributes) {
    super(scope, id);
    const { name = 'notifications', stage, eventBus = '' } = attributes;
    this.baseUrl = attributes.baseUrl;
    this.webSocketUrl = attributes.webSocketUrl;
    this.table = dynamodb.Table.fromTableArn(this, 'Table', attributes.tableArn);
    this.eventBus = eventBus;
    this.eventSource = eventSourceOf({ name, stage });
    this.secret = secrets.Secret.fromSecretNameV2(this, 'SendKey', sendKeyNameOf({ name, stage }));
  }

  protected sendKey(): secrets.ISecret {
    return this.secret;
  }
}

/** Pins the CDK flags of this service's templates, because a changed flag of the surrounding app would replace resources. */
function pinFlags(service: Construct): void {
  const own: Readonly<Record<string, unknown>> = cdkJson.context;
  const expired: readonly string[] = cxapi.CURRENT_VERSION_EXPIRED_FLAGS;
  for (const flag of Object.keys(cxapi.FLAGS).filter((each) => !expired.includes(each)))
    service.node.setContext(flag, own[flag] ?? cxapi.futureFlagDefault(flag));
  service.node.setContext(cxapi.ASSET_RESOURCE_METADATA_ENABLED_CONTEXT, false);
}
