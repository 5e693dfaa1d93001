import { expect, it } from 'vitest';
import { readParameters } from '../../../infra/aws/parameters/parameters.ts';
import { FAILED_INVOCATIONS, queueNameOf } from '../../../infra/aws/triggers/queue-address.ts';
import { QUEUES } from '../../../scripts/redrive/dead-letters.ts';
import { referredBy, sandboxTemplates } from '../../infra/aws/synthesized.ts';

it('moves messages back from exactly the dead-letter queues that a deployment has', async () => {
  const all = await sandboxTemplates();
  const deadLetters = all
    .ofType('AWS::SQS::Queue')
    .filter(({ properties }) => properties.RedrivePolicy)
    .map((queue) => referredBy(all, queue, queue.properties.RedrivePolicy.deadLetterTargetArn))
    .map(({ properties }) => properties.QueueName);
  const asked = [...QUEUES.values()]
    .filter(({ name }) => name !== FAILED_INVOCATIONS)
    .map((row) => queueNameOf({ parameters: readParameters({}) }, row, '-dead'));
  expect(asked.sort()).toEqual(deadLetters.sort());
});
