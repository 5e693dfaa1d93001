import { DeleteSuppressedDestinationCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { toAsciiAddress } from '../../channels/email/address.ts';
import { sesClientOptions } from '../../channels/email/ses/ses.ts';
import { isAwsFault } from '../../http-client/aws-fault.ts';
import { AppError } from '../../runtime/errors.ts';

/** Addresses blocked by the email provider, in addition to the addresses suppressed in this service. */
export type SuppressionList = {
  /** Removes an address from the list; repeating it has no effect. Throws PROVIDER_ERROR. */
  remove(address: string): Promise<void>;
};

export function createSesSuppressionList(client = new SESv2Client(sesClientOptions())): SuppressionList {
  return {
    async remove(address) {
      try {
        await client.send(new DeleteSuppressedDestinationCommand({ EmailAddress: toAsciiAddress(address) }));
      } catch (error) {
        if (error instanceof NotFoundException) return;
        if (!isAwsFault(error)) throw error;
        throw new AppError('PROVIDER_ERROR', {
          message: 'The email provider did not remove the address from its suppression list.',
          fix: 'Try again in a minute.',
          provider: 'ses',
          providerCode: error.name,
          cause: error,
        });
      }
    },
  };
}
