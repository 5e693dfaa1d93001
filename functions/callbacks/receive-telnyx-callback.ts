import { findSignedTags } from '../../shared/channels/phone/callback-url.ts';
import { isTelnyxSignatureValid, parseTelnyxCallback } from '../../shared/channels/phone/telnyx-callback.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { secrets } from '../../shared/providers/secrets.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../shared/receipts/phone-receipts.ts';
import { receiveTelnyxCallbackRoute } from './routes.ts';
import { wrongSignature } from './wrong-signature.ts';

export const handler = endpoint(
  receiveTelnyxCallbackRoute,
  { secrets, signer, ...phoneReceiptDependencies },
  async ({ secrets, signer, query, request, ...deps }) => {
    const publicKey = await secrets.find('TELNYX_PUBLIC_KEY');
    const rawBody = typeof request.rawBody === 'string' ? request.rawBody : '';
    const signature = request.headers['telnyx-signature-ed25519'];
    const timestamp = request.headers['telnyx-timestamp'];
    const nowMs = request.receivedAtMs;
    if (!publicKey || !isTelnyxSignatureValid({ publicKey, signature, timestamp, rawBody, nowMs })) {
      throw wrongSignature('TELNYX_PUBLIC_KEY');
    }
    // Telnyx signs the body only: a status could be replayed with the query of another notification.
    const tags = await findSignedTags(query, (text, given) =>
      signer.verify('provider-callback', text, given),
    );
    const receipt = parseTelnyxCallback({ rawBody, tags: tags ?? {}, nowMs });
    await ingestPhoneReceipt(deps, receipt, nowMs);
    return { received: true };
  },
);
