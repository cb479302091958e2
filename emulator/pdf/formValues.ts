import {
	PDFCheckBox,
	PDFDropdown,
	PDFRadioGroup,
	PDFTextField,
	type PDFForm,
} from '@cantoo/pdf-lib';

export type FormValues = Record<string, string | number | boolean>;

/** Fills in the fields of a PDF's form. A value of the wrong type is a 500 with these words. */
export function fillForm(form: PDFForm, values: FormValues): void {
	for (const [name, given] of Object.entries(values)) {
		const field = form.getFieldMaybe(name);
		const value = typeof given === 'number' ? String(given) : given;
		if (field instanceof PDFTextField) field.setText(text(value, `Text field "${name}"`, true));
		if (field instanceof PDFCheckBox) setCheckBox(field, name, value);
		if (field instanceof PDFDropdown) {
			const option = text(value, `Dropdown "${name}"`);
			if (!field.isEditable() && !field.getOptions().includes(option)) {
				throw new Error(`Invalid value "${option}" for dropdown "${name}"`);
			}
			field.select(option);
		}
		if (field instanceof PDFRadioGroup) {
			const option = text(value, `Radio field "${name}"`);
			if (!field.getOptions().includes(option)) {
				throw new Error(`Invalid option "${option}" for radio "${name}"`);
			}
			field.select(option);
		}
	}
}

function text(value: string | boolean, field: string, namesType = false): string {
	if (typeof value === 'string') return value;
	throw new Error(`${field} requires string value${namesType ? ', got boolean' : ''}`);
}

function setCheckBox(field: PDFCheckBox, name: string, value: string | boolean): void {
	const onValue = field.acroField.getOnValue()?.decodeText();
	if (typeof value === 'string' && value !== 'Off' && value !== onValue) {
		throw new Error(`Invalid value "${value}" for checkbox "${name}"`);
	}
	if (value === false || value === 'Off') field.uncheck();
	else field.check();
}
