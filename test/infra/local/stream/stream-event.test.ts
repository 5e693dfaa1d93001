import type { AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import { expect, it } from 'vitest';
import { lambdaRecordOf } from '../../../../infra/local/stream/stream-event.ts';

it('has empty maps as Lambda has them, which DynamoDB Local writes as nothing', () => {
  const nothing = {} as AttributeValue;
  const NewImage = { f: nothing, l: { L: [] }, n: { M: { m: nothing, l: { L: [nothing] } } } };
  expect(lambdaRecordOf({ dynamodb: { NewImage } }, 'arn').dynamodb?.NewImage).toEqual({
    f: { M: {} },
    l: { L: [] },
    n: { M: { m: { M: {} }, l: { L: [{ M: {} }] } } },
  });
});
