import { join } from 'node:path';
import { App, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Code, Function as LambdaCode, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { buildSync } from 'esbuild';

const app = new App();
const stack = new Stack(app, 'OrderNotifications');
const url = new CfnParameter(stack, 'NdsUrl', { description: 'Address of the API: the output BaseUrl.' });
const secretArn = new CfnParameter(stack, 'NdsSecretArn', {
  description: 'Secret whose text is a secret key.',
});

const folder = join(app.outdir, 'order-placed');
buildSync({
  entryPoints: [join(import.meta.dirname, 'handler.ts')],
  outfile: join(folder, 'handler.mjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  external: ['@aws-sdk/*'],
});

const secret = Secret.fromSecretCompleteArn(stack, 'Key', secretArn.valueAsString);
const orderPlaced = new LambdaCode(stack, 'OrderPlaced', {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'handler.handler',
  code: Code.fromAsset(folder),
  timeout: Duration.seconds(30),
  environment: { NDS_URL: url.valueAsString, NDS_KEY_SECRET: secretArn.valueAsString },
});
secret.grantRead(orderPlaced);
new Rule(stack, 'Orders', {
  eventPattern: { source: ['shop'], detailType: ['OrderPlaced'] },
  targets: [new LambdaFunction(orderPlaced)],
});
app.synth();
