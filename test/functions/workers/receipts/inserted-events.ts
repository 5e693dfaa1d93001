import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { logPk } from '../../../../shared/database/keys.ts';
import type { TestApp } from '../../../support/app.ts';

/** The stream records of the events that were appended to a log. */
export async function insertedEvents(app: TestApp, trackingId: string): Promise<DynamoDBRecord[]> {
  const items = await app.database.queryAll(logPk(trackingId), 'EVENT#', { consistent: true });
  return items.map((item) => {
    const NewImage = marshall(item, { removeUndefinedValues: true });
    return { eventName: 'INSERT', dynamodb: { NewImage } } as DynamoDBRecord;
  });
}
