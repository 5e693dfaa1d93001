import type { Accounts } from '../../shared/database/entities/accounts/accounts.ts';
import type { Components } from '../../shared/database/entities/content/components.ts';
import type { TemplateChanges } from '../../shared/database/entities/content/template-changes.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { Template } from '../../shared/schemas/content/template.ts';
import { draftOf, loadTemplateCheck } from './draft.ts';
import { assertKnownComponents, assertLayout } from './known-components.ts';
import { savedEntry, scopeOf, templateResponse } from './scope.ts';

type Input = {
  templateChanges: TemplateChanges;
  accounts: Accounts;
  components: Components;
  caller: Caller;
  path: { notificationId: string; channel: string; templateId: string };
  query: { locale?: string | undefined };
  request: { receivedAtMs: number };
};

/** Saves the content that `change` makes of a template's content as the version that sends. */
export async function changeContent(
  { templateChanges, accounts, components, caller, path, query, request }: Input,
  change: (content: object) => Record<string, unknown>,
): Promise<Template> {
  const check = await loadTemplateCheck();
  const scope = scopeOf(caller, path);
  const { linkSchemes = [] } = await accounts.get(caller.accountId);
  const draft = draftOf(check, scope.channel, change({}), { linkSchemes });
  await assertLayout(components, scope.environmentId, draft.content);
  const outcome = await templateChanges.edit(
    scope,
    { templateId: path.templateId, locale: query.locale },
    (content) => {
      const changed = change(content);
      const isSame = JSON.stringify(changed) === JSON.stringify(content);
      return isSame ? undefined : draftOf(check, scope.channel, changed, { linkSchemes });
    },
    request.receivedAtMs,
  );
  if (outcome.kind === 'no-component') {
    await assertKnownComponents(components, scope.environmentId, { ids: draft.components, field: 'html' });
  }
  return templateResponse(scope, savedEntry(outcome));
}
