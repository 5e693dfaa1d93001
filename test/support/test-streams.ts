import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Engine } from '../../infra/local/database/embedded/engine.ts';
import type { StreamRecord } from '../../infra/local/database/embedded/operations/streams.ts';
import { withBytesItem } from '../../infra/local/database/wire-form.ts';

/** A client of the streams of an embedded table, in the SDK's form. */
export function createTestStreams(engine: Engine): DynamoDBStreamsClient {
  const client = {
    async send(command: { input: object; constructor: { name: string } }) {
      await new Promise((resume) => setImmediate(resume));
      const { status, body } = engine.perform(
        command.constructor.name.replace(/Command$/, ''),
        command.input,
      );
      if (status !== 200) throw Object.assign(new Error(String(body.message)), { name: body.__type });
      return body.Records ? { ...body, Records: (body.Records as StreamRecord[]).map(recordOf) } : body;
    },
    destroy() {},
  };
  return client as unknown as DynamoDBStreamsClient;
}

function recordOf({ dynamodb, ...record }: StreamRecord) {
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, ...rest } = dynamodb;
  return {
    ...record,
    dynamodb: {
      ...rest,
      ApproximateCreationDateTime: new Date(ApproximateCreationDateTime * 1000),
      Keys: withBytesItem(Keys),
      ...(NewImage ? { NewImage: withBytesItem(NewImage) } : {}),
      ...(OldImage ? { OldImage: withBytesItem(OldImage) } : {}),
    },
  };
}
