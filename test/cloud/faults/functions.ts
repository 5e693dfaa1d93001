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
];
