import type { Params } from '../params';
import { filledText, webUrl } from '../engine/values';

export function attachmentOf(params: Params) {
	return {
		label: params.value('label', filledText(255)),
		data: params.value('data', webUrl),
	};
}
