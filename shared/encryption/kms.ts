import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { requireSetting } from '../runtime/config.ts';
import { requestLimits } from '../runtime/request-limits.ts';
import type { KeyWrapper } from './key-wrapper.ts';

/** Wraps data keys with the deployment's KMS key (`KMS_KEY_ID`); the encryption context is the account. */
export function createKmsKeyWrapper(): KeyWrapper {
  const client = new KMSClient({
    maxAttempts: 3,
    requestHandler: requestLimits(),
  });
  const keyId = requireSetting('KMS_KEY_ID');
  return {
    async generateDataKey(accountId) {
      const output = await client.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: { accountId } }),
      );
      if (!output.Plaintext || !output.CiphertextBlob) throw new Error('KMS returned no data key');
      return { plain: output.Plaintext, wrapped: output.CiphertextBlob };
    },
    async unwrap(accountId, wrapped) {
      const output = await client.send(
        new DecryptCommand({ KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: { accountId } }),
      );
      if (!output.Plaintext) throw new Error('KMS returned no data key');
      return output.Plaintext;
    },
  };
}
