import { lazily } from '../runtime/async/lazily.ts';
import { findSetting } from '../runtime/config.ts';
import { type Dependency, dependency } from '../runtime/dependency.ts';
import type { EventBus } from './event-bus-port.ts';

/** True if events are published on a bus. */
export function hasEventBus(): boolean {
  return findSetting('EVENT_BUS') !== undefined;
}

export const eventBus: Dependency<EventBus> = dependency('eventBus', () =>
  lazily(async () => (await import('./eventbridge.ts')).createEventBridge(), { put: true }),
);
