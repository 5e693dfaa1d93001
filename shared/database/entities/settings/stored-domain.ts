import * as v from 'valibot';
import {
  CheckedRecords,
  DomainProblem,
  DomainStatus,
  MailFromStatus,
} from '../../../schemas/domains/sender-domain.ts';
import { readStored } from '../../items/stored.ts';
import type { Item } from '../../table.ts';

const StoredDomain = v.object({
  sender: v.string(),
  accountId: v.string(),
  status: DomainStatus,
  mailFromDomainStatus: v.optional(MailFromStatus),
  verificationTokens: v.optional(v.array(v.string())),
  selector: v.string(),
  /** Base64 of the SPKI form. */
  publicKey: v.string(),
  sealedKey: v.string(),
  isRegistered: v.boolean(),
  sinceMs: v.number(),
  polls: v.number(),
  lastSyncMs: v.number(),
  createdAtMs: v.number(),
  reminderSentAtMs: v.optional(v.number()),
  problem: v.optional(DomainProblem),
  records: v.optional(CheckedRecords),
});

/** A sender domain as the table holds it; `sealedKey` is the encrypted private key in PEM. */
export type StoredDomain = v.InferOutput<typeof StoredDomain>;

export function readDomain(item: Item): StoredDomain {
  return readStored('sender domain', StoredDomain, item);
}
