import {
  type EventSourceMappingConfiguration,
  type LambdaClient,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { WORKERS } from '../../functions/workers.ts';

const WORKER_NAMES = new Set(WORKERS.map(({ name }) => name));

/**
 * The event sources of a deployment's workers, by name. Names of another stage's functions can begin like this stage's: `dev-eu`
 * begins with `dev-`.
 */
export async function listEventSources(
  client: LambdaClient,
  prefix: string,
): Promise<Map<string, EventSourceMappingConfiguration>> {
  const found = new Map<string, EventSourceMappingConfiguration>();
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {})) {
    for (const mapping of EventSourceMappings) {
      const name = mapping.FunctionArn?.split(':function:')[1]?.split(':')[0] ?? '';
      const worker = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : '';
      if (WORKER_NAMES.has(worker)) found.set(worker, mapping);
    }
  }
  return found;
}

/** True unless anything is sent: every event source is disabled, or about to be. */
export async function isPaused(client: LambdaClient, prefix: string): Promise<boolean> {
  const sources = await listEventSources(client, prefix);
  return [...sources.values()].every(({ State }) => State === 'Disabled' || State === 'Disabling');
}
