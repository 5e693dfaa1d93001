import { Arn, type Stack } from 'aws-cdk-lib';
import type { Parameters } from '../parameters/parameters.ts';

/** ARN of the bus that the parameter `eventBus` names, by name or ARN. */
export function eventBusArnOf(stack: Stack, { eventBus }: Pick<Parameters, 'eventBus'>): string {
  if (eventBus.startsWith('arn:')) return eventBus;
  return Arn.format({ service: 'events', resource: 'event-bus', resourceName: eventBus }, stack);
}

/** The source of a deployment's events on its bus: `notifications.prod`. */
export function eventSourceOf({ name, stage }: Pick<Parameters, 'name' | 'stage'>): string {
  return `${name}.${stage}`;
}
