import { join } from 'node:path';
import { type Fault, isFunction } from './planting.ts';

const ES_MODULE = join(import.meta.dirname, '../../../node_modules/valibot/dist/index.mjs');

/** Faults of how a function is configured. */
export const FUNCTION_FAULTS: readonly Fault[] = [
  {
    name: 'the runtime is an old one',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.Runtime = 'nodejs18.x';
    },
    says: /cloud-send: its runtime/,
  },
  {
    name: 'reserved concurrency is 0',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.ReservedConcurrentExecutions = 0;
    },
    says: /cloud-send: its reserved concurrency is 0/,
  },
  {
    name: 'a setting is missing',
    plant: (resource) => {
      if (isFunction(resource, 'send')) delete resource.Properties.Environment.Variables.TABLE_NAME;
    },
    says: /TABLE_NAME|500/,
  },
  {
    name: 'the address of a queue is missing',
    plant: (resource) => {
      if (isFunction(resource, 'dispatch'))
        delete resource.Properties.Environment.Variables.QUEUE_URL_DELIVER_EMAIL;
    },
    says: /cloud-dispatch: .*Missing environment variable QUEUE_URL_DELIVER_EMAIL/,
  },
  {
    name: 'the handler is misnamed',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.Handler = 'main.handler';
    },
    says: /cloud-send: failed to start/,
  },
  {
    name: 'an ES module is loaded by require',
    plant: (resource) => {
      if (isFunction(resource, 'send'))
        resource.Properties.Code = {
          ZipFile: `exports.handler = async () => require(${JSON.stringify(ES_MODULE)});`,
        };
    },
    says: /ERR_REQUIRE_ESM/,
  },
  {
    name: 'memory is too small',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.MemorySize = 16;
    },
    says: /cloud-send: .*(heap|ended|MB)/i,
  },
  {
    name: 'the addresses of two queues are swapped',
    plant: (resource) => {
      if (!isFunction(resource, 'dispatch')) return;
      const settings = resource.Properties.Environment.Variables;
      [settings.QUEUE_URL_DELIVER_EMAIL, settings.QUEUE_URL_DELIVER_SMS] = [
        settings.QUEUE_URL_DELIVER_SMS,
        settings.QUEUE_URL_DELIVER_EMAIL,
      ];
    },
    says: /email_sent_at|deliver-sms/,
  },
  {
    name: 'the name of the bucket is missing',
    plant: (resource) => {
      if (isFunction(resource, 'send')) delete resource.Properties.Environment.Variables.BLOB_BUCKET;
    },
    says: /BLOB_BUCKET|500/,
  },
  {
    name: 'a timeout is shorter than that of the provider',
    plant: (resource) => {
      if (isFunction(resource, 'deliver-email')) resource.Properties.Timeout = 1;
    },
    says: /email_sent_at/,
  },
  {
    name: 'a function runs longer than API Gateway waits',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.Timeout = 60;
    },
    says: /cloud-send: runs longer than API Gateway waits for it/,
  },
];
