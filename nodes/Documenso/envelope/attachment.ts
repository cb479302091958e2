import type { Params } from '../params';
import { text, webUrl } from '../schemas/values';

export function attachmentOf(params: Params) {
	return {
		label: params.value('label', text(255).min(1, 'is empty')),
		data: params.value('data', webUrl),
	};
}
