import { findSignedTags } from '../../shared/channels/phone/callback-url.ts';
import {
  isTelnyxSignatureValid,
  parseTelnyxCallback,
} from '../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { ownProviders } from '../../shared/database/entities/settings/own-providers.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { suffixOf } from '../../shared/providers/order/provider-order.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../shared/receipts/phone-receipts.ts';
import { findCallbackSource } from './callback-source.ts';
import { receiveTelnyxCallbackRoute } from './routes.ts';
import { wrongSignature } from './wrong-signature.ts';

export const handler = endpoint(
  receiveTelnyxCallbackRoute,
  { ownProviders, signer, ...phoneReceiptDependencies },
  async ({ ownProviders, signer, path, query, request, ...deps }) => {
    const signed = await findCallbackSource(ownProviders, 'telnyx', path.channel, query);
    const publicKey = await signed?.source.find('TELNYX_PUBLIC_KEY');
    const rawBody = typeof request.rawBody === 'string' ? request.rawBody : '';
    const signature = request.headers['telnyx-signature-ed25519'];
    const timestamp = request.headers['telnyx-timestamp'];
    const nowMs = request.receivedAtMs;
    if (!publicKey || !isTelnyxSignatureValid({ publicKey, signature, timestamp, rawBody, nowMs })) {
      throw wrongSignature(`TELNYX_PUBLIC_KEY${suffixOf(signed?.entry.name)}`);
    }
    // Telnyx signs the body only: a status could be replayed with the query of another notification.
    const tags = await findSignedTags(query, (text, submitted) =>
      signer.verify('provider-callback', text, submitted),
    );
    const receipt = parseTelnyxCallback({ rawBody, tags: tags ?? {}, nowMs });
    await ingestPhoneReceipt(deps, receipt, nowMs, { reportedBy: 'telnyx', owner: signed?.owner });
    return { received: true };
  },
);
