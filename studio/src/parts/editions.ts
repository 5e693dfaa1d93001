import { ServiceError } from '../../../client/src/errors.ts';
import { api } from '../state/service.ts';
import { act } from './basics.tsx';
import { ask } from './dialog.tsx';

type Update = (ifMatch: { ifMatch?: string }) => {
  withResponse(): Promise<{ etag: string | undefined }>;
};
type Load = () => Promise<{ updatedAt?: string | undefined; updatedBy?: string | undefined }>;

/** The ETags that this page's own changes led to, by the ETag before. */
const successors = new Map<string, string>();

function latest(etag: string | undefined): string | undefined {
  const next = etag === undefined ? undefined : successors.get(etag);
  return next === undefined ? etag : latest(next);
}

/**
 * Saves a change of what was read with `etag`. If somebody else was faster, says who, and asks whether to replace their
 * change: what was entered stays either way.
 */
export const saveOn = (etag: string | undefined, update: Update, load: Load): Promise<boolean> =>
  act(() => attempt(etag, latest(etag), update, load), 'Saved');

async function attempt(etag: string | undefined, ifMatch: string | undefined, update: Update, load: Load) {
  try {
    const { etag: next } = await update(ifMatch ? { ifMatch } : {}).withResponse();
    if (!next) return;
    successors.delete(next);
    for (const each of [etag, ifMatch]) if (each && each !== next) successors.set(each, next);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'CHANGED_MEANWHILE') throw error;
    if (!(await isReplacing(await load())))
      throw new Error('Nothing was changed. What you entered is still here.');
    await attempt(etag, error.etag, update, load);
  }
}

async function isReplacing({ updatedAt, updatedBy }: Awaited<ReturnType<Load>>): Promise<boolean> {
  const listed = updatedBy && (await api.members.list().catch(() => undefined));
  const member = listed ? listed.members.find(({ userId }) => userId === updatedBy) : undefined;
  const at = updatedAt ? ` at ${new Date(updatedAt).toLocaleTimeString()}` : '';
  const response = await ask({
    title: 'Somebody was faster',
    text: `${member?.email ?? updatedBy ?? 'Somebody else'} changed this${at}, after you opened it. What you entered is still here. If you save it, it replaces their change.`,
    button: 'Save mine',
    isDanger: true,
  });
  return response !== undefined;
}
