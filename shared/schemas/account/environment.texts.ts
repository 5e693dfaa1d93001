import { describeFields } from '../fields/field-texts.ts';
import { EnvironmentResponse } from './environment.ts';

describeFields(EnvironmentResponse, {
  clientSecret: 'The secret for computing user hashes.',
  title: 'The name of the environment.',
  disableSending: 'Channels that the environment does not send on.',
  secureMode: "True if public keys also need the user's hash.",
  onlyTo: 'The only email addresses, domains and numbers that the environment sends to; empty: to everybody.',
  expiresAt: 'Time at which the environment is removed.',
  createTypes: 'False if a send with an unknown notification type is rejected instead of creating it.',
});
