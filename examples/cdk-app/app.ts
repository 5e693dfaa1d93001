import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  Architecture,
  Code,
  Function as LambdaCode,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { buildSync } from 'esbuild';
import { NotificationService } from 'notification-delivery-cdk';

const app = new App();
const notifications = new NotificationService(app, 'Notifications', {
  stage: 'dev',
  channels: ['EMAIL', 'INAPP_WEB'],
  email: { provider: 'sandbox' },
  mailDomain: 'mail.example.com',
  administrator: 'ops@example.com',
  eventBus: 'default',
});

const shop = new Stack(app, 'Shop');
const orders = new Table(shop, 'Orders', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  stream: StreamViewType.NEW_IMAGE,
  removalPolicy: RemovalPolicy.DESTROY,
});
const folder = join(app.outdir, 'order-stored');
buildSync({
  entryPoints: [join(import.meta.dirname, 'handler.ts')],
  outfile: join(folder, 'handler.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['@aws-sdk/*'],
});
const orderStored = new LambdaCode(shop, 'OrderStored', {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'handler.handler',
  code: Code.fromAsset(folder),
  timeout: Duration.seconds(30),
});
orderStored.addEventSource(
  new DynamoEventSource(orders, { startingPosition: StartingPosition.LATEST, retryAttempts: 10 }),
);
notifications.grantSend(orderStored);
notifications.onEvent(shop, 'Failed', {
  events: ['EMAIL_FAILED'],
  target: new SqsQueue(new Queue(shop, 'Failures', { enforceSSL: true })),
});
app.synth();
