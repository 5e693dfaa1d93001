import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import type { ApnConfig } from '../../../schemas/domains/apn-config.ts';

/** A usable APNs configuration; `hash` changes when any part of the signing does. */
export type ApnsSigner = {
  keyId: string;
  teamId: string;
  topic: string;
  privateKey: KeyObject;
  hash: string;
};

/** A valid APNs configuration, or its problem in words that do not repeat it. */
export type ParsedApnConfig = { ok: true; value: ApnsSigner } | { ok: false; problem: string };

const REQUIRED = ['KeyId', 'Key', 'TeamId', 'Topic'] as const;
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** Reads the configuration of PUT /settings/push/apn: `Key` is the text of the .p8 file. */
export function parseApnConfig(config: ApnConfig): ParsedApnConfig {
  const missing = REQUIRED.filter((name) => typeof config[name] !== 'string' || config[name].trim() === '');
  if (missing.length > 0)
    return { ok: false, problem: `the APNs configuration must have ${missing.join(', ')}` };
  const unreadable = (['KeyId', 'TeamId', 'Topic'] as const).filter(
    (name) => !HEADER_TEXT.test(config[name]),
  );
  if (unreadable.length > 0)
    return { ok: false, problem: `${unreadable.join(', ')} must be plain ASCII text` };
  const privateKey = findP256Key(config.Key);
  if (!privateKey)
    return { ok: false, problem: 'Key must be a P-256 private key in PEM, as in the .p8 file' };
  const { KeyId: keyId, TeamId: teamId, Topic: topic } = config;
  const hash = createHash('sha256')
    .update(JSON.stringify([keyId, teamId, config.Key]))
    .digest('base64');
  return { ok: true, value: { keyId, teamId, topic, privateKey, hash } };
}

function findP256Key(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    // node:crypto throws different errors for different kinds of invalid keys.
    return undefined;
  }
}
