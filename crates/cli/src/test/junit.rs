//! Results as JUnit writes them, for programs that collect those of many tools.

use serde_json::Value;

fn escaped(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            letter if (letter as u32) < 0x20 && !"\n\t".contains(letter) => " ".to_owned(),
            letter => letter.to_string(),
        })
        .collect()
}

/// The results as JUnit writes them: a test that a limit stopped is skipped, not passed.
pub(super) fn junit(finished: &[Value]) -> String {
    let count = |word: &str| finished.iter().filter(|event| event["verdict"] == word).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mazurka\" tests=\"{}\" failures=\"{}\" \
         skipped=\"{}\">\n",
        finished.len(),
        count("violated"),
        count("unknown")
    );
    for event in finished {
        let name = event["test"].as_str().unwrap_or("");
        let (class, own) = name.rsplit_once("::").unwrap_or(("", name));
        out.push_str(&format!(
            "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.6}\">\n",
            escaped(class),
            escaped(own),
            event["seconds"].as_f64().unwrap_or(0.0)
        ));
        for violation in event["violations"].as_array().into_iter().flatten() {
            let text = |field: &str| escaped(violation[field].as_str().unwrap_or(""));
            out.push_str(&format!(
                "    <failure type=\"{}\" message=\"{}\">{}\ntoken: {}</failure>\n",
                text("kind"),
                text("message").replace('\n', " "),
                text("timeline"),
                text("token")
            ));
        }
        if event["verdict"] == "violated" && event["violations"].as_array().is_none_or(Vec::is_empty) {
            let never: Vec<&str> =
                event["never"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            out.push_str(&format!(
                "    <failure type=\"never\" message=\"no execution met {}\"/>\n",
                escaped(&never.join(", "))
            ));
        }
        if event["verdict"] == "unknown" {
            let reason = event["guarantee_reason"].as_str().unwrap_or("");
            out.push_str(&format!("    <skipped message=\"{}\"/>\n", escaped(reason)));
        }
        out.push_str("  </testcase>\n");
    }
    out.push_str("</testsuite>\n");
    out
}
