// Asks llama.cpp about every fixture: does it convert the schema, does its grammar take the instances, does
// it refuse what is broken? It is llama.cpp's own converter and matcher, without a model and without its server.
//
//     tests/judges/llama_cpp/run
//
// Reads fixtures from standard input, a line of JSON each. Ends with 1 if a schema or an instance is refused, or if
// something broken is taken of which the schema has a keyword, for no reason that is listed in `known.json`.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "ggml.h"
#include "json-schema-to-grammar.h"
#include "llama-grammar.h"
#include "llama-impl.h"
#include "llama-vocab.h"
#include "../src/unicode.h"

// What the two files use of the rest of llama.cpp.
std::string string_join(const std::vector<std::string> & parts, const std::string & separator) {
    std::string all;
    for (size_t i = 0; i < parts.size(); i++) {
        all += (i > 0 ? separator : "") + parts[i];
    }
    return all;
}
std::vector<std::string> string_split(const std::string & text, const std::string & separator) {
    std::vector<std::string> parts;
    size_t start = 0, end;
    while ((end = text.find(separator, start)) != std::string::npos) {
        parts.push_back(text.substr(start, end - start));
        start = end + separator.size();
    }
    parts.push_back(text.substr(start));
    return parts;
}
std::string string_repeat(const std::string & text, size_t n) {
    std::string all;
    while (n-- > 0) all += text;
    return all;
}
void llama_log_internal(ggml_log_level, const char * format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}
extern "C" void ggml_abort(const char *, int, const char *, ...) { std::abort(); }
bool llama_vocab::is_eog(llama_token) const { return false; }
const std::string & llama_vocab::token_to_piece(llama_token) const { std::abort(); }
int32_t llama_vocab::tokenize(const char *, int32_t, llama_token *, int32_t, bool, bool) const { std::abort(); }

// What is written to standard error in the meantime: the converter says there, and nowhere else, what it leaves out.
class Errors {
    FILE * file = tmpfile();
    int before = dup(2);

public:
    Errors() { dup2(fileno(file), 2); }
    ~Errors() {
        dup2(before, 2);
        close(before);
        fclose(file);
    }
    std::string text() {
        fflush(stderr);
        std::string all(lseek(fileno(file), 0, SEEK_END), 0);
        return pread(fileno(file), all.data(), all.size(), 0) == (ssize_t) all.size() ? all : "unreadable";
    }
};

static bool writes(const std::string & grammar_text, const std::string & text) {
    llama_grammar * grammar = llama_grammar_init_impl(nullptr, grammar_text.c_str(), "root", false, nullptr, 0, nullptr, 0);
    if (!grammar) throw std::runtime_error("the grammar does not parse: " + grammar_text);
    bool complete = true;
    for (size_t at = 0; at < text.size();) {
        const std::string piece = unicode_cpt_to_utf8(unicode_cpt_from_utf8(text, at));
        try {
            llama_grammar_accept_token(*grammar, 0, piece);
        } catch (const std::runtime_error &) {
            complete = false;
        }
        if (!complete || llama_grammar_get_stacks(grammar).empty()) {
            complete = false;
            break;
        }
    }
    bool ends = false;
    for (const auto & stack : llama_grammar_get_stacks(grammar)) ends |= stack.empty();
    llama_grammar_free_impl(grammar);
    return complete && ends;
}

// The engine writes DELETE in text as an escape only, which is the same JSON.
static std::string escaped(std::string text) {
    for (size_t at; (at = text.find('\x7f')) != std::string::npos;) text.replace(at, 1, "\\u007f");
    return text;
}

// The engine's numbers have at most 15 digits before the point and 16 behind it.
static bool has_long_number(const std::string & text) {
    size_t digits = 0;
    for (const char c : text) {
        digits = isdigit(c) ? digits + 1 : 0;
        if (digits > 15) return true;
    }
    return false;
}

int main(int, char ** arguments) {
    std::ifstream file(arguments[1]);
    const auto known = nlohmann::json::parse(file);
    std::string line;
    int schemas = 0, all = 0, instances = 0, narrow = 0, refused = 0, departures = 0, faults = 0;
    std::map<std::string, int> described;
    const auto fault = [&](const std::string & name, const std::string & what) {
        if (known.contains(name)) {
            departures++;
        } else {
            std::cout << name << ": " << what << "\n";
            faults++;
        }
    };
    while (std::getline(std::cin, line)) {
        const auto fixture = nlohmann::ordered_json::parse(line);
        const std::string name = fixture.at("name"), schema = fixture.at("schema");
        all++;
        std::string grammar;
        try {
            std::string warnings;
            {
                Errors errors;
                grammar = json_schema_to_grammar(common_json::parse(schema), true);
                warnings = errors.text();
            }
            // What it cannot convert is no reason to refuse for llama.cpp, and is one here.
            if (!warnings.empty()) {
                fault(name, "does not convert all: " + warnings + "  " + schema);
                continue;
            }
            schemas++;
            for (const std::string text : fixture.at("instances")) {
                if (writes(grammar, text) || writes(grammar, escaped(text))) {
                    instances++;
                } else if (has_long_number(text)) {
                    narrow++;
                } else {
                    fault(name, "does not write " + text + "\n  " + schema);
                    break;
                }
            }
            for (const auto & broken : fixture.at("broken")) {
                if (!writes(grammar, broken.at("text"))) {
                    refused++;
                } else if (broken.at("described")) {
                    described[broken.at("breaks")]++;
                } else {
                    fault(name, "writes " + std::string(broken.at("text")) + ", which breaks " + std::string(broken.at("breaks")) + "\n  " + schema);
                }
            }
        } catch (const std::exception & error) {
            fault(name, std::string("refuses the schema: ") + error.what() + "\n  " + schema);
        }
    }
    std::cout << schemas << " of " << all << " schemas are converted in full; " << instances << " instances are written, "
              << narrow << " are not for their long numbers\n";
    std::cout << refused << " broken instances are refused; not noticed, and only described:";
    for (const auto & [what, n] : described) std::cout << " " << what << " " << n;
    std::cout << "\n" << departures << " departures are known, " << faults << " are not\n";
    return faults > 0;
}
