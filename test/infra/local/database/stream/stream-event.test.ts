import type { AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import { expect, it } from 'vitest';
import { lambdaRecordOf } from '../../../../../infra/local/database/dynamodb-local/server-stream.ts';

it('restores empty maps that DynamoDB Local omits', () => {
  const nothing = {} as AttributeValue;
  const NewImage = { f: nothing, l: { L: [] }, n: { M: { m: nothing, l: { L: [nothing] } } } };
  expect(lambdaRecordOf({ dynamodb: { NewImage } }, 'arn').dynamodb?.NewImage).toEqual({
    f: { M: {} },
    l: { L: [] },
    n: { M: { m: { M: {} }, l: { L: [{ M: {} }] } } },
  });
});
