import { DeleteSuppressedDestinationCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { sesClientOptions } from '../channels/email/ses.ts';
import { defined } from '../runtime/defined.ts';
import { AppError } from '../runtime/errors.ts';
import type { SuppressionList } from './suppression-list-port.ts';

/** The suppression list of this deployment's SES account. */
export function createSesSuppressionList(client = new SESv2Client(sesClientOptions())): SuppressionList {
  return {
    async remove(address) {
      try {
        await client.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
      } catch (error) {
        if (error instanceof NotFoundException) return;
        throw new AppError('PROVIDER_ERROR', {
          message: 'The email provider did not remove the address from its suppression list.',
          fix: 'Try again in a minute.',
          provider: 'ses',
          ...defined({ providerCode: error instanceof Error ? error.name : undefined }),
          cause: error,
        });
      }
    },
  };
}
