import { AppError } from '../../shared/runtime/errors.ts';

/** The callback was not signed by the provider. `secretName` is the setting that the signature is checked with. */
export const wrongSignature = (secretName: string) =>
  new AppError('UNAUTHORIZED', {
    message: 'The signature of the callback is missing, wrong or too old.',
    fix: `Set ${secretName} to the value of the account that calls back.`,
  });
