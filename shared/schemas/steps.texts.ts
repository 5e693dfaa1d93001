import { describeFields } from './field-texts.ts';
import { Steps } from './steps.ts';

describeFields(Steps, {
  channels: 'The channels of this step.',
  after: 'Delay after the previous step, as an ISO 8601 duration.',
  when: 'unseen, undelivered or always: which outcome of the earlier steps starts it.',
});
