import type { Scenario } from '../run.ts';
import { toChannels } from '../story.ts';

const ATTACHMENTS = [{ filename: 'a.txt', url: 'https://files.example.com/a.txt' }];
/** SMS is delivered by a function that has 30 seconds. */
const NEARLY_ALL_MS = 25_000;

/** Calls so slow that the function can be stopped before it has recorded an outcome. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a provider that takes nearly all the time',
    async act(story) {
      const { script } = story.world;
      script.isOrdered = true;
      script.takesMs = ({ provider }) => (provider === 'first' ? NEARLY_ALL_MS : 8000);
      script.deliver = ({ provider }) =>
        provider === 'first'
          ? { kind: 'retry', code: 'Unknown', internal: 'busy', notAccepted: 'unavailable' }
          : undefined;
      // An unrecorded receive possibly gave the message to the first provider: the message then stays with that provider.
      await story.send(toChannels(['SMS']), { SMS: ['sent', 'failed'] });
    },
    check: ({ world: { accepted, faulted, outage } }) =>
      accepted.length === 1 || faulted || outage ? [] : ['the second provider has not taken over'],
  },
  {
    name: 'emails with slow attachments that wait for their turn',
    async act(story) {
      // Two of three wait for longer than the third takes, and their function has 60 seconds.
      Object.assign(story.world.script, { emailEveryMs: 32_000, fetchMs: 9000, takesMs: () => 14_000 });
      const body = toChannels(['EMAIL'], { options: { email: { attachments: ATTACHMENTS } } });
      for (let count = 0; count < 3; count += 1) await story.send(body, { EMAIL: 'sent' });
    },
  },
];
