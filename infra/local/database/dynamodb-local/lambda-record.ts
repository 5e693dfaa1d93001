import type { _Record, AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { defined } from '../../../../shared/runtime/values/defined.ts';

/** The SDK's record in the shape of Lambda's: time in seconds, binary values as base64, names of TTL's identity small. */
export function lambdaRecordOf(record: _Record, streamArn: string): DynamoDBRecord {
  const { dynamodb = {}, userIdentity, ...rest } = record;
  const { ApproximateCreationDateTime: createdAt, Keys, NewImage, OldImage, ...numbers } = dynamodb;
  return asLambdaRecord({
    ...rest,
    ...(userIdentity
      ? { userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId } }
      : {}),
    dynamodb: {
      ...numbers,
      ...defined({
        ApproximateCreationDateTime: createdAt ? createdAt.getTime() / 1000 : undefined,
        Keys: Keys ? imageOf(Keys) : undefined,
        NewImage: NewImage ? imageOf(NewImage) : undefined,
        OldImage: OldImage ? imageOf(OldImage) : undefined,
      }),
    },
    eventSourceARN: streamArn,
  });
}

function imageOf(image: Record<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

function attributeOf(value: AttributeValue): unknown {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(attributeOf) };
  if (value.M) return { M: imageOf(value.M) };
  // The SDK reads an empty map as a value of no type.
  if (Object.keys(value).length === 0) return { M: {} };
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/**
 * Both describe one wire shape, and `lambdaRecordOf` has converted the differences: binary values, time,
 * identity.
 */
function asLambdaRecord(record: unknown): DynamoDBRecord {
  return record as DynamoDBRecord;
}
