import { EnvironmentAnswer } from './environment.ts';
import { describeFields } from './field-texts.ts';

describeFields(EnvironmentAnswer, {
  clientId: 'The ID of the environment.',
  clientSecret: 'The secret with which user hashes are computed.',
  title: 'The name of the environment.',
  disableSending: 'Channels on which the environment does not send.',
  secureMode: "True if public keys also need the user's hash.",
});
