import { createPrivateKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import { readJson } from '../token-results.ts';

/** A usable service account. The `token_uri` of the JSON is omitted on purpose: it is a customer's URL. */
export type FcmConfig = {
  projectId: string;
  clientEmail: string;
  privateKeyId?: string;
  privateKey: KeyObject;
};

/** A service account, or the problem of the text, in words that do not repeat it. */
export type ParsedFcmConfig = { ok: true; value: FcmConfig } | { ok: false; problem: string };

const RSA_BITS_MIN = 2048;
const REQUIRED = ['type', 'project_id', 'client_email', 'private_key'] as const;
const ServiceAccount = v.object({
  type: v.optional(v.unknown()),
  project_id: v.optional(v.unknown()),
  client_email: v.optional(v.unknown()),
  private_key: v.optional(v.unknown()),
  private_key_id: v.optional(v.unknown()),
});

export function parseFcmConfig(text: string): ParsedFcmConfig {
  const account = readJson(ServiceAccount, text);
  if (!account) return { ok: false, problem: 'fcmConfig must be service-account JSON' };
  const missing = REQUIRED.filter((name) => !isFilled(account[name]));
  if (missing.length > 0) return { ok: false, problem: `fcmConfig must have ${missing.join(', ')}` };
  if (account.type !== 'service_account') {
    return { ok: false, problem: 'type of fcmConfig must be service_account' };
  }
  const privateKey = findRsaKey(String(account.private_key));
  if (!privateKey)
    return {
      ok: false,
      problem: 'private_key of fcmConfig must be an RSA private key in PEM, of at least 2048 bits',
    };
  return {
    ok: true,
    value: {
      projectId: String(account.project_id),
      clientEmail: String(account.client_email),
      ...defined({ privateKeyId: isFilled(account.private_key_id) ? account.private_key_id : undefined }),
      privateKey,
    },
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function findRsaKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN ? key : undefined;
  } catch {
    // node:crypto throws different errors for different kinds of invalid keys.
    return undefined;
  }
}
