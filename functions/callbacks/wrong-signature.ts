import { AppError } from '../../shared/runtime/errors.ts';

/** Builds the error for a callback that the provider did not sign. `secretName` is the setting that verifies the signature. */
export const wrongSignature = (secretName: string) =>
  new AppError('UNAUTHORIZED', {
    message: 'The signature of the callback is missing, wrong or too old.',
    fix: `Set ${secretName} to the value of the account that sends the callbacks.`,
  });
