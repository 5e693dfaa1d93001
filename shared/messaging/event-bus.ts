import { findSetting } from '../runtime/config.ts';
import { type Dependency, dependency } from '../runtime/dependency.ts';
import { lazily } from '../runtime/lazily.ts';
import type { EventBus } from './event-bus-port.ts';

/** True if events are published on a bus. */
export function hasEventBus(): boolean {
  return findSetting('EVENT_BUS') !== undefined;
}

/** The deployment's bus. */
export const eventBus: Dependency<EventBus> = dependency('eventBus', () =>
  lazily(async () => (await import('./eventbridge.ts')).createEventBridge(), { put: true }),
);
