import { EnvironmentAnswer } from './environment.ts';
import { describeFields } from './field-texts.ts';

describeFields(EnvironmentAnswer, {
  clientId: 'The ID of the environment.',
  clientSecret: 'The secret that user hashes are made with.',
  title: 'The name of the environment.',
  disableSending: 'Channels that the environment does not send on.',
  secureMode: "Whether public keys also need the user's hash.",
});
