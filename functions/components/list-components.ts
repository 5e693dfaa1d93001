import { components } from '../../shared/database/entities/components.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { readCursor, writeCursor } from '../../shared/http/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/list.ts';
import { componentAnswer } from './answer.ts';
import { listComponentsRoute } from './routes.ts';

/** A page ends before its content is larger: as text within JSON, content takes at most twice its bytes. */
const PAGE_BYTES_MAX = RESPONSE_BYTES_MAX / 2;

export const handler = endpoint(
  listComponentsRoute,
  { components, signer },
  async ({ components, signer, caller, query }) => {
    const { accountId, environmentId } = caller;
    const scope = { signer, binding: ['listComponents', accountId, environmentId] };
    const page = await components.listPage(environmentId, {
      limit: query.limit ?? LIMIT_DEFAULT,
      sizeBytesMax: PAGE_BYTES_MAX,
      after: query.cursor === undefined ? undefined : String(await readCursor(scope, query.cursor)),
    });
    const ids = page.components.map((component) => component.componentId);
    const references = ids.length > 0 ? await components.referencesTo(environmentId, ids) : new Map();
    return {
      components: page.components.map((component) =>
        componentAnswer(environmentId, component, references.get(component.componentId) ?? []),
      ),
      ...defined({ nextCursor: page.next === undefined ? undefined : await writeCursor(scope, page.next) }),
    };
  },
);
