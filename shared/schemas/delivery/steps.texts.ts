import { describeFields } from '../fields/field-texts.ts';
import { Steps } from './steps.ts';

describeFields(Steps, {
  channels: 'The channels of this step.',
  after: 'Delay after the previous step, as an ISO 8601 duration.',
  when: 'What starts the step: unseen (nothing was seen, the default), undelivered (nothing was delivered), or always.',
});
