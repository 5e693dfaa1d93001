import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import { componentResponse } from './response.ts';
import { listComponentsRoute } from './routes.ts';

/** A page ends before its content is larger: as text within JSON, content takes at most twice its bytes. */
const PAGE_BYTES_MAX = RESPONSE_BYTES_MAX / 2;

export const handler = endpoint(
  listComponentsRoute,
  { components, signer },
  async ({ components, signer, caller, query }) => {
    const { environmentId } = caller;
    const list = { signer, caller, binding: ['listComponents'] };
    const page = await listPage(list, query, (range) =>
      components.listPage(environmentId, { ...range, sizeBytesMax: PAGE_BYTES_MAX }),
    );
    const ids = page.components.map((component) => component.componentId);
    const references = ids.length > 0 ? await components.referencesTo(environmentId, ids) : new Map();
    return {
      ...page,
      components: page.components.map((component) =>
        componentResponse(environmentId, component, references.get(component.componentId) ?? []),
      ),
    };
  },
);
