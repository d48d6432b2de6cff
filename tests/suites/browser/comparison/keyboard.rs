use serde_json::json;

use super::Both;

const LISTENING: &str = "<input id=i value=old><textarea id=t></textarea><div id=e contenteditable></div><input id=n type=number>\
  <script>window.events = []; for (const name of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'focus', 'blur'])\
  addEventListener(name, e => events.push([name, e.target.id ?? '', e.key ?? null, e.code ?? null, e.keyCode ?? null, e.data ?? null, e.inputType ?? null, e.shiftKey ?? null].join(' ')), true)</script>";

/// A tab is left out: the contract has it press its key, Playwright inserts it.
#[test]
fn the_same_keys_are_pressed() {
    let both = Both::on(LISTENING);
    for (selector, text) in [
        ("#i", "abc"),
        ("#i", "A1 !@#$%^&*()_+{}|:\"<>?~`-=[]\\;',./"),
        ("#t", "two\nlines"),
        ("#e", "rich\ntext"),
        ("#t", "é ü 漢字 🎉"),
        ("#n", "12e3"),
        ("#t", ""),
    ] {
        both.done("type", &json!({"selector": selector, "text": text, "delay": 0}));
        let events = both.value("events.splice(0)");
        assert!(events.get("ok").is_some());
        both.value("[i.value, t.value, e.innerText, n.value, document.activeElement.id]");
    }
}

#[test]
fn fields_are_emptied_alike() {
    let both = Both::on(LISTENING);
    both.value("t.value = 'much\\ntext'; e.innerHTML = '<b>rich</b>'; n.value = 5");
    for selector in ["#i", "#t", "#e", "#n"] {
        both.done("type", &json!({"selector": selector, "text": "7", "clear": true, "delay": 0}));
        both.value("[i.value, t.value, e.innerText, n.value]");
        let inputs = "events.splice(0).filter(event => event.startsWith('input'))";
        both.value(&format!("{inputs}.length"));
    }
}
