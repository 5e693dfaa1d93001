import { type EventItem, readLogItem } from '../../../../shared/database/entities/logs/log-items.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import type { TestApp } from '../../../support/app.ts';

/** The events that were appended to a log, as the stream carries them. */
export async function insertedEvents(app: TestApp, trackingId: string): Promise<EventItem[]> {
  const items = await app.database.queryAll(logPk(trackingId), 'EVENT#', { consistent: true });
  return items.map(readLogItem).filter((item) => item?.kind === 'event');
}
