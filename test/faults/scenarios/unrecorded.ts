import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';
import { answered, textIn } from './coming-in.ts';
import { called, hook } from './sending.ts';

const MINUTES_40 = 40 * 60_000;

/** Earlier steps wait for their own writes: a fault there as well makes the message a dead letter. */
const AT_REPLIES = /^invoke answer-texts/;

/** From now on, these writes fail for a while: reads do not. */
const failing = ({ world }: Story, names: readonly string[]) => world.breakDown({ names, forMs: MINUTES_40 });

/** A text that fails, and a webhook for it: the receiver's first response is lost with these writes. */
async function failWhileCalled(story: Story, names: readonly string[]): Promise<void> {
  story.world.script.deliver = () => ({ kind: 'rejected', code: '30006', internal: 'no' });
  story.world.script.receive = (count) => {
    if (count === 1) failing(story, names);
    return 200;
  };
  await story.send(toChannels(['SMS']), { SMS: 'failed' });
}

/** One more call if a fault also prevented a record. */
const faultOf = ({ world }: Story) => (world.faulted ? 1 : 0);

/** Calls that leave the service while it cannot record them: each is made twice at most. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a webhook call that cannot be recorded',
    hours: 2,
    before: (story) => hook(story, ['SMS_FAILED']),
    act: (story) => failWhileCalled(story, ['table put', 'table update']),
    check: (story) => called(story.world.posts, 1, 2 + faultOf(story)),
  },
  {
    name: 'a webhook call of which only the log has a record',
    hours: 2,
    before: (story) => hook(story, ['SMS_FAILED']),
    act: (story) => failWhileCalled(story, ['table put WEBHOOKATTEMPT']),
    check: (story) => called(story.world.posts, 1, 1 + faultOf(story)),
  },
  {
    name: 'an automatic reply that cannot be recorded',
    hours: 2,
    isTimed: true,
    isPrompt: true,
    faultsAt: AT_REPLIES,
    async act(story) {
      const body = toChannels(['SMS'], { sms: { message: 'm', autoReply: { message: 'Thanks' } } });
      const trackingId = await story.sendAndWait(body, { SMS: 'sent' });
      breakDownAtReply(story, trackingId);
      textIn(story, 'Hello');
    },
    check: (story) => [...answered(story, 1), ...repliesOf(story, 2 + faultOf(story))],
  },
  {
    name: 'a confirmation of STOP that cannot be recorded',
    hours: 2,
    isTimed: true,
    isPrompt: true,
    faultsAt: AT_REPLIES,
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['SMS']), { SMS: 'sent' });
      breakDownAtReply(story, trackingId);
      textIn(story, 'STOP');
    },
    check: (story) => [...answered(story, 1), ...repliesOf(story, 2 + faultOf(story))],
  },
];

/** Writes to logs fail from the first reply on. */
function breakDownAtReply(story: Story, trackingId: string): void {
  let isDown = false;
  story.world.script.deliver = (delivery) => {
    if (delivery.trackingId !== trackingId && !isDown) {
      isDown = true;
      failing(story, ['table put EVENT']);
    }
    return undefined;
  };
}

function repliesOf({ world, tracked }: Story, timesMax: number): string[] {
  const own = new Set(tracked.map(({ trackingId }) => trackingId));
  const replies = world.accepted.filter(({ trackingId }) => !own.has(trackingId));
  return replies.length > timesMax ? [`${replies.length} replies, wanted ${timesMax} at most`] : [];
}
